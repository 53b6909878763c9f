internal import IdleLoop
internal import ReplayText

/// An event of a Chrome trace, as specified by the Trace Event Format.
struct TraceEvent {
    /// The threads of a process.
    enum Thread {
        case frames, loop, input
        /// A lane but the loop, from 1.
        case lane(Int)

        var number: Int {
            switch self {
            case .frames: 1
            case .loop: 2
            case .input: 3
            case .lane(let number): 3 + number
            }
        }

        var name: String {
            if case .lane(let number) = self { "lane \(number)" } else { "\(self)" }
        }
    }

    /// The phase: X, b, e, C, i, s, f or M.
    var phase: String
    var name: String
    var category = ""
    var process: Int
    /// The thread; nil for counters and async events, which belong to the process.
    var thread: Thread?
    /// The time; nil for metadata.
    var time: Instant?
    var duration: Duration?
    /// The identifier that connects the events of an async slice or a flow.
    var id: Int?
    /// Members that are specific to this kind of event.
    var extra: [(String, JSON)] = []
    var arguments: [(String, JSON)] = []

    /// The event as JSON.
    var json: JSON {
        var members: [(String, JSON)] = [("ph", .text(phase)), ("name", .text(name))]
        if !category.isEmpty { members.append(("cat", .text(category))) }
        members.append(("pid", .whole(process)))
        if let thread { members.append(("tid", .whole(thread.number))) }
        if let time { members.append(("ts", Self.exactly(time - .zero))) }
        if let duration { members.append(("dur", Self.exactly(duration))) }
        if let id { members.append(("id", .text("0x" + String(id, radix: 16)))) }
        members += extra
        if !arguments.isEmpty { members.append(("args", .members(arguments))) }
        return .members(members)
    }

    /// Returns a duration in µs without rounding.
    private static func exactly(_ duration: Duration) -> JSON {
        let nanoseconds = duration.nanoseconds
        let whole = nanoseconds / 1000
        let rest = String(nanoseconds % 1000 + 1000).dropFirst()
        return .digits(rest == "000" ? "\(whole)" : "\(whole).\(rest)")
    }
}
