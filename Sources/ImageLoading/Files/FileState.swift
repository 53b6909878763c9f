import Glibc

/// A state of one file, told from another by what its directory says.
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

    /// The state of a file that is open; nil if it can't be told.
    init?(of file: OpenedFile) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The state of the file that now has a name; nil if none has.
    init?(ofFile path: String) {
        var status = stat()
        guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
