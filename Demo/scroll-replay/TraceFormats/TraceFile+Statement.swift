import LullTesting
import ReplayText
import ScrollModel

extension TraceFile {
    /// Returns the detected format and a summary of the content, such as "evemu: 1 stroke, 147
    /// samples, 2.20 s".
    static func statement(of trace: Trace, _ dialect: TraceDialect, _ notes: [String]) -> String {
        let inputs = trace.events.map(\.input)
        var strokes = 0
        var moves = 0
        var wheels = 0
        var keys = 0
        for input in inputs {
            switch input {
            case .down:
                strokes += 1
                moves += 1
            case .move, .up, .cancel: moves += 1
            case .wheel: wheels += 1
            case .key: keys += 1
            }
        }
        var parts: [String] = []
        if strokes > 0 { parts.append(counted(strokes, "stroke")) }
        if moves > 0 { parts.append(counted(moves, "sample")) }
        if wheels > 0 { parts.append(counted(wheels, "wheel turn")) }
        if keys > 0 { parts.append(counted(keys, "key")) }
        if !trace.samples.isEmpty { parts.append(counted(trace.samples.count, "offset")) }
        parts.append(hundredths(trace.end) + " s")
        let sentence = dialect.title + ": " + parts.joined(separator: ", ")
        return notes.isEmpty ? sentence : sentence + " (" + notes.joined(separator: "; ") + ")"
    }

    /// Returns the seconds since a trace's start with two decimals.
    private static func hundredths(_ time: Instant) -> String {
        let value = (time.nanoseconds + 5_000_000) / 10_000_000
        return "\(value / 100).\(value % 100 / 10)\(value % 10)"
    }
}
