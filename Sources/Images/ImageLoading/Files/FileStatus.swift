import LullLibC

/// The system's facts about a file.
struct FileStatus {
    private let status: stat

    /// Reads the facts about an open file; nil if that fails.
    init?(of file: OpenedFile) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { return nil }
        self.status = status
    }

    /// Reads the facts about the file that currently has a name, following links unless the flags
    /// say otherwise; nil if there is none.
    init?(ofFile name: String, in folder: Int32 = AT_FDCWD, _ flags: Int32 = 0) {
        var status = stat()
        guard !name.utf8.contains(0), unsafe fstatat(folder, name, &status, flags) == 0 else {
            return nil
        }
        self.status = status
    }

    var isRegularFile: Bool { status.st_mode & S_IFMT == S_IFREG }
    var bytes: Int { status.st_size }
    /// The time since 1970 at which the file was last written.
    var lastChange: Duration { Self.duration(status.st_mtim) }
    /// The time at which the file was last read or written, as far as that was recorded.
    var lastUse: Duration { max(lastChange, Self.duration(status.st_atim)) }

    /// The state of the file as a path names it.
    var stamp: FileStamp {
        FileStamp(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, bytes: bytes,
            changed: Self.duration(status.st_ctim))
    }

    /// Returns whether the other file is the same one with the same content, by its device, inode,
    /// modification time and length.
    ///
    /// A file that is deleted or gets another name meanwhile still has the same content.
    func hasContent(of other: FileStatus) -> Bool {
        status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
            && lastChange == other.lastChange && bytes == other.bytes
    }

    private static func duration(_ time: timespec) -> Duration {
        .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
