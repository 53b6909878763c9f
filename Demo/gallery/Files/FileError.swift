/// Why a file beneath the folder can't be had.
public enum FileError: Error, Equatable, Sendable {
    /// The error of a system call.
    case system(call: String, errno: Int32)
}
