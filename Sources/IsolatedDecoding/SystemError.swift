import Glibc

/// A call that the system refused, and why.
public struct SystemError: Error, Equatable, Sendable {
    /// The call.
    public let call: String
    /// What the system said.
    public let errno: Int32

    /// An error that is known already.
    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// What the last call that failed on this thread has said.
    init(call: String) { self.init(call: call, errno: Glibc.errno) }
}
