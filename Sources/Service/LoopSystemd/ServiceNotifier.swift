internal import LullLibC

/// A notifier of the service manager, by the protocol of systemd's `sd_notify`.
///
/// ```swift
/// let notifier = try ServiceNotifier()
/// try notifier.notify(.ready, .status("serves 3 lists"))
/// ```
///
/// Each call sends one datagram to `$NOTIFY_SOCKET`, and never blocks. Without a manager, as in a
/// program that was started by hand, `notify` returns false. Any thread may call it. Addresses of
/// virtual machines' managers (`vsock:`) aren't supported.
public final class ServiceNotifier: Sendable {
    private let address: SocketAddress?
    private let descriptor: Int32

    /// Creates a notifier of the manager that `$NOTIFY_SOCKET` names.
    ///
    /// - Parameter unsetsEnvironment: Whether the variable is unset, so that child processes can't
    ///   send messages in the service's name; no other thread may read the environment meanwhile.
    /// - Throws: `malformed` or `addressTooLong` if the variable is invalid.
    public convenience init(unsetsEnvironment: Bool = false) throws(SystemdError) {
        let socket = Variables()["NOTIFY_SOCKET"]
        if unsetsEnvironment { Variables.unset("NOTIFY_SOCKET") }
        try self.init(socket: socket)
    }

    /// Creates a notifier of the manager at a path, or at `@` and an abstract name; nil for no
    /// manager.
    public init(socket: String?) throws(SystemdError) {
        guard let socket else {
            address = nil
            descriptor = -1
            return
        }
        address = try SocketAddress(socket, variable: "NOTIFY_SOCKET")
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = LullLibC.socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether there is a manager to be notified.
    public var hasManager: Bool { address != nil }

    /// Notifies the manager of states, in one message, and returns false if there is no manager.
    ///
    /// Throws `unsendable` or `messageTooLong` for an invalid message, `full` if sending it would
    /// block, and `gone` if nobody listens.
    @discardableResult
    public func notify(_ states: ServiceState...) throws(SystemdError) -> Bool {
        try notify(states)
    }

    /// Notifies the manager of states, in one message, and returns false if there is no manager.
    @discardableResult
    public func notify(_ states: [ServiceState]) throws(SystemdError) -> Bool {
        let message = try ServiceState.message(states)
        guard let address else { return false }
        switch sendDatagram(message, from: descriptor, to: address) {
        case 0: return true
        case EAGAIN, ENOBUFS: throw .full
        case ENOENT, ECONNREFUSED: throw .gone
        case let error: throw .system(call: "sendto", errno: error)
        }
    }
}
