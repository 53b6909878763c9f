/// A time that somebody is given, and that may pass.
public enum WebDeadline: String, CaseIterable, Sendable {
    /// For the client to send a whole request.
    case request
    /// For the program to answer.
    case answer
    /// For the client to take the reply.
    case reply
}
