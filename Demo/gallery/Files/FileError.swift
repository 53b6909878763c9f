/// An error in accessing a file.
public enum FileError: Error, Equatable, Sendable {
    /// The error of a system call.
    case system(call: String, errno: Int32)
}
