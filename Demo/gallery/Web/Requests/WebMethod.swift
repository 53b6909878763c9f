/// The method of a request; all others are answered with 405.
public enum WebMethod: String, CaseIterable, Sendable {
    /// A reply with its body.
    case get = "GET"
    /// The head of the reply only.
    case head = "HEAD"
    /// An action.
    case post = "POST"
}
