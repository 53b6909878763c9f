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
        try send(try ServiceState.message(states), passing: [])
    }

    /// Stores descriptors in the manager, which passes them on when the service is restarted.
    ///
    /// They are returned as ``PassedDescriptors`` of this name. The manager has duplicates: the
    /// service's own descriptors stay open, and it still owns them. The manager stores as many as
    /// the unit's `FileDescriptorStoreMax=` allows. Returns false if there is no manager. Traps if
    /// the number of descriptors isn't 1 to 253.
    @discardableResult
    public func store(_ descriptors: [Int32], as name: String) throws(SystemdError) -> Bool {
        precondition((1...253).contains(descriptors.count), "1 to 253 descriptors fit a message")
        try checkName(name)
        let states = [ServiceState("FDSTORE", "1"), ServiceState("FDNAME", name)]
        return try send(try ServiceState.message(states), passing: descriptors)
    }

    /// Removes the descriptors that the manager stores under a name, and returns false if there is
    /// no manager.
    @discardableResult
    public func removeStored(_ name: String) throws(SystemdError) -> Bool {
        try checkName(name)
        return try notify(ServiceState("FDSTOREREMOVE", "1"), ServiceState("FDNAME", name))
    }

    private func checkName(_ name: String) throws(SystemdError) {
        let isGood = name.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ":") }
        guard isGood, (1...255).contains(name.utf8.count) else { throw .badName(name) }
    }

    private func send(
        _ message: [UInt8], passing descriptors: [Int32]
    ) throws(SystemdError) -> Bool {
        guard let address else { return false }
        let error = sendDatagram(message, passing: descriptors, from: descriptor, to: address)
        switch error {
        case 0: return true
        case EAGAIN, ENOBUFS: throw .full
        case ENOENT, ECONNREFUSED: throw .gone
        default: throw .system(call: "sendmsg", errno: error)
        }
    }
}
