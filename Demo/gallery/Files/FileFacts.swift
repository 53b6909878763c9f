internal import Glibc

/// The facts of a file, without its content.
public struct FileFacts: Hashable, Sendable {
    /// The kinds of file that a name stands for.
    public enum Kind: Sendable {
        /// A file with bytes in it.
        case regular
        /// A folder.
        case folder
        /// A device, a pipe, a socket.
        case other
    }

    /// What it is.
    public let kind: Kind
    /// Its length in bytes.
    public let byteCount: Int
    /// When it was last written, in nanoseconds since 1970.
    public let modified: Int64
    /// The number by which its file system knows it.
    public let inode: UInt64
    /// The number of its file system.
    public let device: UInt64

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        byteCount = status.st_size
        // A file may be dated beyond what nanoseconds reach, which are the years 1678 to 2262.
        let seconds = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let nanoseconds = Int64(status.st_mtim.tv_nsec)
        modified = seconds.overflow ? 0 : seconds.partialValue &+ nanoseconds
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
    }
}
