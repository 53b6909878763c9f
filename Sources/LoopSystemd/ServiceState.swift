public import IdleLoop

/// Something that a service tells its manager of itself.
///
/// Several go into one message: `notifier.notify(.ready, .status("serves 3 lists"))`.
public struct ServiceState: Equatable, Sendable {
    /// A name and its value.
    struct Field: Equatable, Sendable {
        let name: String
        let value: String
    }

    let fields: [Field]

    private init(_ fields: Field...) {
        self.fields = fields
    }

    /// Any other field that the manager knows.
    public init(_ name: String, _ value: String) {
        self.init(Field(name: name, value: value))
    }

    /// It has started up, or has read its configuration again.
    public static let ready = ServiceState("READY", "1")

    /// It is on its way down.
    public static let stopping = ServiceState("STOPPING", "1")

    /// It reads its configuration again, and has begun to just now; `ready` tells of the end.
    public static var reloading: ServiceState { reloading(since: LoopClock.monotonic.now) }

    /// It reads its configuration again, and has begun to at this moment of the monotonic clock,
    /// which `Type=notify-reload` wants to know.
    public static func reloading(since instant: Instant) -> ServiceState {
        ServiceState(
            Field(name: "RELOADING", value: "1"),
            Field(name: "MONOTONIC_USEC", value: "\(instant.nanoseconds / 1000)"))
    }

    /// What it is doing, in one line for people.
    public static func status(_ text: String) -> ServiceState { ServiceState("STATUS", text) }

    /// It has failed, and will end, because of this `errno`.
    public static func failed(errno: Int32) -> ServiceState { ServiceState("ERRNO", "\(errno)") }

    /// Its main process has this number, where the manager has started another.
    public static func mainProcess(_ number: Int32) -> ServiceState {
        ServiceState("MAINPID", "\(number)")
    }

    /// Starting up, reloading or going down takes so much longer, from now on, than it may.
    public static func extendTimeout(by duration: Duration) -> ServiceState {
        ServiceState("EXTEND_TIMEOUT_USEC", microseconds(duration))
    }

    /// It is alive.
    public static let watchdog = ServiceState("WATCHDOG", "1")

    /// It has noticed itself that something is wrong, and is to be ended as if it hung.
    public static let watchdogTrigger = ServiceState("WATCHDOG", "trigger")

    /// It will tell that it's alive in other intervals than `$WATCHDOG_USEC` says.
    public static func watchdogPeriod(_ period: Duration) -> ServiceState {
        ServiceState("WATCHDOG_USEC", microseconds(period))
    }

    private static func microseconds(_ duration: Duration) -> String {
        "\(max(0, duration.wholeNanoseconds / 1000))"
    }
}

extension ServiceState {
    /// The message that tells of these, a line for each field.
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
