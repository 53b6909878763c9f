internal import Glibc

/// The metadata of a file.
public struct FileFacts: Hashable, Sendable {
    /// The kind of a file.
    public enum Kind: Sendable {
        /// A regular file.
        case regular
        /// A folder.
        case folder
        /// A device, a pipe, a socket.
        case other
    }

    /// The kind of the file.
    public let kind: Kind
    /// The length in bytes.
    public let byteCount: Int
    /// The time of the last modification, in nanoseconds since 1970.
    public let modified: Int64
    /// The time of the last change to the content or the metadata, in nanoseconds since 1970.
    ///
    /// Unlike the time of the last modification, it can't be set back.
    public let changed: Int64
    /// The inode number.
    public let inode: UInt64
    /// The device number of its file system.
    public let device: UInt64

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        byteCount = status.st_size
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
    }

    /// Returns a time in nanoseconds; 0 outside their range, which is the years 1678 to 2262.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let seconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return seconds.overflow ? 0 : seconds.partialValue &+ Int64(time.tv_nsec)
    }
}
