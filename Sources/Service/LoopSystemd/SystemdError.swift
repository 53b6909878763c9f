internal import LullLibC

/// An error in the variables that a service manager has set, or in a message to it.
public enum SystemdError: Error, Equatable, Sendable {
    /// The value of an environment variable is invalid.
    case malformed(variable: String, value: String)
    /// The address in `$NOTIFY_SOCKET` is too long for a socket.
    case addressTooLong(String)
    /// A descriptor that a variable names isn't open.
    case notOpen(descriptor: Int32)
    /// The value of a field contains a line break or a zero, which would end it.
    case unsendable(field: String)
    /// The message is longer than the 4,096 bytes that the manager accepts.
    case messageTooLong(bytes: Int)
    /// The manager's queue is full; there may be room later.
    case full
    /// Nobody listens at the manager's address any more.
    case gone
    /// A system call failed with this `errno`.
    case system(call: String, errno: Int32)
}

extension SystemdError: CustomStringConvertible {
    /// The error in words, for a log.
    public var description: String {
        switch self {
        case .malformed(let variable, let value):
            "$\(variable) is not understood: \(value.debugDescription)"
        case .addressTooLong(let address):
            "$NOTIFY_SOCKET is too long for a socket: \(address.debugDescription)"
        case .notOpen(let descriptor):
            "descriptor \(descriptor) was promised by $LISTEN_FDS and is not open"
        case .unsendable(let field):
            "\(field) has a line break or a zero in its value"
        case .messageTooLong(let bytes):
            "a message of \(bytes) bytes is more than the manager takes"
        case .full:
            "the manager has too much to read already"
        case .gone:
            "nobody listens at the manager's address"
        case .system(let call, let code):
            "\(call): \(unsafe String(cString: strerror(code))) (\(code))"
        }
    }
}
