import LullLibC

/// A state of the content of one file, identified by its device, inode, modification time and length.
///
/// A file that is deleted or gets another name meanwhile still has the same content.
struct FileState: Equatable {
    private let device: UInt
    private let inode: UInt
    let stamp: FileStamp

    init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        var stamp = FileStamp(status)
        stamp.changed = .zero
        self.stamp = stamp
    }

    /// Reads the state of an open file; nil if that fails.
    init?(of file: OpenedFile) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the state of the file that currently has a name; nil if there is none.
    init?(ofFile path: String) {
        guard let status = Self.status(ofFile: path) else { return nil }
        self.init(status)
    }

    /// Returns the system's facts about the file that currently has a name; nil if there is none.
    static func status(ofFile path: String) -> stat? {
        var status = stat()
        guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
        return status
    }
}
