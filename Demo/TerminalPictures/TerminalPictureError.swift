/// An error of writing a picture to a place where a terminal reads it.
public enum TerminalPictureError: Error, Equatable, Sendable {
    /// A system call failed.
    case system(call: String, errno: Int32)
}
