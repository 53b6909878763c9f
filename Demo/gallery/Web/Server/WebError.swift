/// An error in starting to listen.
public enum WebError: Error, Equatable, Sendable {
    /// An error of a system call, or of libevent.
    case system(call: String, errno: Int32)
    /// The host isn't a numeric address or `localhost`, or the port isn't valid.
    case notAnAddress(String)
    /// A unix socket's path is too long, is empty, or contains a zero byte.
    case unusablePath(bytes: Int, limit: Int)
    /// Another process listens on the unix socket.
    case inUse(path: String)
    /// The unix socket's path is that of a file that isn't a socket.
    case notASocket(path: String)
    /// The descriptor isn't a listening stream socket.
    case notListening(descriptor: Int32)
    /// The server was closed, or has stopped listening.
    case closed
}
