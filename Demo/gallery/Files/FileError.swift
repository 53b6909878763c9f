/// Why a file beneath the folder can't be had.
public enum FileError: Error, Equatable, Sendable {
    /// The error of a system call.
    case system(call: String, errno: Int32)
    /// It's a folder, a device, a pipe or a socket.
    case notARegularFile
    /// It has more bytes than are wanted.
    case tooLarge(found: Int, limit: Int)
    /// It was written to, or replaced, while it was read.
    case changedWhileRead
}
