/// Why a picture could not be put where a terminal reads it.
public enum TerminalPictureError: Error, Equatable, Sendable {
    /// The system refused a call.
    case system(call: String, errno: Int32)
}
