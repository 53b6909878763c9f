/// A kind of time limit.
public enum WebDeadline: String, CaseIterable, Sendable {
    /// The time for the client to send a whole request.
    case request
    /// The time for the program to answer.
    case answer
    /// The time for the client to receive the reply.
    case reply
}
