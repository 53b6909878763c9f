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
        // A file's date may exceed the range of nanoseconds, which is the years 1678 to 2262.
        let seconds = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let nanoseconds = Int64(status.st_mtim.tv_nsec)
        modified = seconds.overflow ? 0 : seconds.partialValue &+ nanoseconds
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
    }
}
