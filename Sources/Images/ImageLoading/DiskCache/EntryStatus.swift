import LullLibC

/// The size and the timestamps of a file in a disk cache.
struct EntryStatus {
    let bytes: Int
    /// The time since 1970 at which the file was last written.
    let lastChange: Duration
    /// The time at which it was last read or written, as far as that was recorded.
    let lastUse: Duration

    /// The time since 1970 on the system's clock.
    static var systemTime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return duration(time)
    }

    /// Reads the status of a regular file in an open directory; nil if there is none.
    init?(of name: String, in folder: Int32) {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the status of an open file; nil if it isn't a regular one.
    init?(of file: OpenedFile) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        bytes = status.st_size
        lastChange = Self.duration(status.st_mtim)
        lastUse = max(lastChange, Self.duration(status.st_atim))
    }

    private static func duration(_ time: timespec) -> Duration {
        .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
