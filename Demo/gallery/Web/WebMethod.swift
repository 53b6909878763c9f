/// The methods of requests; all others are answered by 405.
public enum WebMethod: String, CaseIterable, Sendable {
    /// A reply with its body.
    case get = "GET"
    /// The reply's head alone.
    case head = "HEAD"
    /// Something is to be done.
    case post = "POST"
}
