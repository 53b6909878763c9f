internal import Glibc

/// What is wrong with what a service was told by its manager, or wants to tell it.
public enum SystemdError: Error, Equatable, Sendable {
    /// A variable of the environment says nothing that can be understood.
    case malformed(variable: String, value: String)
    /// `$NOTIFY_SOCKET` is longer than a socket's address may be.
    case addressTooLong(String)
    /// A variable promised this descriptor, which isn't open.
    case notOpen(descriptor: Int32)
    /// The value of this field has a line break or a zero, which would end it.
    case unsendable(field: String)
    /// The manager takes no more than 4,096 bytes at once.
    case messageTooLong(bytes: Int)
    /// A name of stored descriptors has 1 to 255 characters of ASCII, no colon and nothing invisible.
    case badName(String)
    /// The manager has too much to read already; later there may be room.
    case full
    /// Nobody listens at the manager's address any more.
    case gone
    /// A call of the system failed with this `errno`.
    case system(call: String, errno: Int32)
}

extension SystemdError: CustomStringConvertible {
    /// What is wrong, for a log.
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
        case .badName(let name):
            "\(name.debugDescription) is no name for descriptors"
        case .full:
            "the manager has too much to read already"
        case .gone:
            "nobody listens at the manager's address"
        case .system(let call, let code):
            "\(call): \(unsafe String(cString: strerror(code))) (\(code))"
        }
    }
}
