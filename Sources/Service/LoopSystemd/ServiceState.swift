internal import IdleLoop

/// A state of a service of which its manager is notified.
///
/// Several states can be sent in one message: `notifier.notify(.ready, .status("serves 3 lists"))`.
public struct ServiceState: Equatable, Sendable {
    /// A name and its value in a message.
    struct Field: Equatable, Sendable {
        let name: String
        let value: String
    }

    let fields: [Field]

    private init(_ fields: Field...) {
        self.fields = fields
    }

    /// Creates a state from any other field that the manager supports, such as
    /// `EXTEND_TIMEOUT_USEC`.
    public init(_ name: String, _ value: String) {
        self.init(Field(name: name, value: value))
    }

    /// The service has started up, or has reloaded its configuration.
    public static let ready = ServiceState("READY", "1")

    /// The service is shutting down.
    public static let stopping = ServiceState("STOPPING", "1")

    /// The service begins to reload its configuration now; `ready` marks the end.
    public static var reloading: ServiceState { reloading(since: LoopClock.monotonic.now) }

    /// Returns the state that the service began to reload its configuration at this time of the
    /// monotonic clock, which `Type=notify-reload` requires.
    static func reloading(since instant: Instant) -> ServiceState {
        ServiceState(
            Field(name: "RELOADING", value: "1"),
            Field(name: "MONOTONIC_USEC", value: "\(instant.nanoseconds / 1000)"))
    }

    /// Returns the service's current activity, as a line of text for the user.
    public static func status(_ text: String) -> ServiceState { ServiceState("STATUS", text) }

    /// The keep-alive message of the watchdog.
    public static let watchdog = ServiceState("WATCHDOG", "1")
}

extension ServiceState {
    /// Returns the message with these states, a line for each field.
    static func message(_ states: [ServiceState]) throws(SystemdError) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in states.flatMap(\.fields) {
            let line = "\(field.name)=\(field.value)".utf8
            let isPlain = !line.contains { $0 == 0 || $0 == UInt8(ascii: "\n") }
            guard isPlain, !field.name.isEmpty, !field.name.contains("=") else {
                throw .unsendable(field: field.name)
            }
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        guard bytes.count <= 4096 else { throw .messageTooLong(bytes: bytes.count) }
        return bytes
    }
}
