/// An event of a Chrome trace, as specified by the Trace Event Format.
struct TraceEvent {
    /// The threads of a process.
    enum Thread: Int, CaseIterable {
        case frames = 1, loop, input

        var name: String { "\(self)" }
    }

    /// The phase: X, b, e, C, i, s, f or M.
    var phase: String
    var name: String
    var category = ""
    var process: Int
    /// The thread; nil for counters and async events, which belong to the process.
    var thread: Thread?
    /// The time in nanoseconds; nil for metadata.
    var time: Int64?
    var duration: Int64?
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
        if let thread { members.append(("tid", .whole(thread.rawValue))) }
        if let time { members.append(("ts", Self.microseconds(time))) }
        if let duration { members.append(("dur", Self.microseconds(duration))) }
        if let id { members.append(("id", .text("0x" + String(id, radix: 16)))) }
        members += extra
        if !arguments.isEmpty { members.append(("args", .members(arguments))) }
        return .members(members)
    }

    /// Returns nanoseconds as µs without rounding.
    private static func microseconds(_ nanoseconds: Int64) -> JSON {
        let whole = nanoseconds / 1000
        let rest = String(nanoseconds % 1000 + 1000).dropFirst()
        return .digits(rest == "000" ? "\(whole)" : "\(whole).\(rest)")
    }
}
