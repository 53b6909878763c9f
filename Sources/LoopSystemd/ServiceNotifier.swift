internal import Glibc

/// Tells the service manager how a service is doing, by the protocol of systemd's `sd_notify`.
///
/// ```swift
/// let notifier = try ServiceNotifier()
/// try notifier.notify(.ready, .status("serves 3 lists"))
/// ```
///
/// Each call is one datagram to `$NOTIFY_SOCKET`, and never waits. Where nobody wants to hear of it,
/// as in a program that was started by hand, `notify` says false. Any thread may call it. The
/// addresses of virtual machines' managers (`vsock:`) are not spoken.
public final class ServiceNotifier: Sendable {
    private let address: SocketAddress?
    private let descriptor: Int32

    /// Speaks to the manager that `$NOTIFY_SOCKET` names.
    ///
    /// - Parameter unsetsEnvironment: Whether children don't inherit the variable, so that they
    ///   can't speak in the service's name; the environment isn't to be read by another thread then.
    /// - Throws: `malformed` or `addressTooLong` if the variable makes no sense.
    public convenience init(unsetsEnvironment: Bool = false) throws(SystemdError) {
        let socket = Variables()["NOTIFY_SOCKET"]
        if unsetsEnvironment { Variables.unset("NOTIFY_SOCKET") }
        try self.init(socket: socket)
    }

    /// Speaks to the manager at a path, or at `@` and an abstract name; to none if that is nil.
    public init(socket: String?) throws(SystemdError) {
        guard let socket else {
            address = nil
            descriptor = -1
            return
        }
        address = try SocketAddress(socket, variable: "NOTIFY_SOCKET")
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = Glibc.socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether there is a manager that wants to hear.
    public var hasManager: Bool { address != nil }

    /// Tells the manager, all in one message; false if there is none.
    ///
    /// Throws `unsendable` or `messageTooLong` for what can't be said, `full` where the message would
    /// have to wait, and `gone` if nobody listens.
    @discardableResult
    public func notify(_ states: ServiceState...) throws(SystemdError) -> Bool {
        try notify(states)
    }

    /// Tells the manager, all in one message; false if there is none.
    @discardableResult
    public func notify(_ states: [ServiceState]) throws(SystemdError) -> Bool {
        try send(try ServiceState.message(states), passing: [])
    }

    /// Has the manager keep descriptors, which it passes on when the service is started again.
    ///
    /// They come back as ``PassedDescriptors`` of this name. The manager has copies: the service's own
    /// stay open and its own. It keeps as many as the unit's `FileDescriptorStoreMax=` allows. False
    /// if there is no manager.
    @discardableResult
    public func store(_ descriptors: [Int32], as name: String) throws(SystemdError) -> Bool {
        precondition((1...253).contains(descriptors.count), "1 to 253 descriptors fit a message")
        try checkName(name)
        let states = [ServiceState("FDSTORE", "1"), ServiceState("FDNAME", name)]
        return try send(try ServiceState.message(states), passing: descriptors)
    }

    /// Has the manager close what it keeps under a name; false if there is no manager.
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
        let trouble = sendDatagram(message, passing: descriptors, from: descriptor, to: address)
        switch trouble {
        case 0: return true
        case EAGAIN, ENOBUFS: throw .full
        case ENOENT, ECONNREFUSED: throw .gone
        default: throw .system(call: "sendmsg", errno: trouble)
        }
    }
}
