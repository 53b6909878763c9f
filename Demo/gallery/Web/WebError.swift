/// Why a server can't listen.
public enum WebError: Error, Equatable, Sendable {
    /// The error of a call of the system's, or of libevent's.
    case system(call: String, errno: Int32)
    /// The host isn't an address in digits, nor `localhost`, or the port isn't one.
    case notAnAddress(String)
    /// A unix socket's path has more bytes than the system has room for, none, or a zero.
    case unusablePath(bytes: Int, limit: Int)
    /// Somebody answers at the unix socket.
    case inUse(path: String)
    /// Under the unix socket's path there's something else than a socket.
    case notASocket(path: String)
    /// The descriptor isn't a stream socket that listens.
    case notListening(descriptor: Int32)
    /// The server was closed, or has stopped listening.
    case closed
}
