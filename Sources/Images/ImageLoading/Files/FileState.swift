import LullLibC

/// A state of one file, identified by its device, inode, modification time and length.
struct FileState: Equatable {
    private let device: UInt
    private let inode: UInt
    let stamp: FileStamp

    init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        stamp = FileStamp(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
            bytes: status.st_size)
    }

    /// Reads the state of an open file; nil if that fails.
    init?(of file: OpenedFile) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the state of the file that currently has a name; nil if there is none.
    init?(ofFile path: String) {
        var status = stat()
        guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
