public import LullTesting
import ScrollModel

/// Writes traces in this package's own format.
public enum OwnText {
    /// Returns an input as a line, with its line break.
    public static func line(_ event: Trace.Event) -> String {
        switch event.input {
        case .down(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"down\"")
        case .move(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"move\"")
        case .up(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"up\"")
        case .cancel(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"cancel\"")
        case .wheel(let dy):
            line(event.time, place(event.offset) + "\"dy\":\(plain(dy)),\"phase\":\"wheel\"")
        case .key: line(event.time, place(event.offset) + "\"phase\":\"key\"")
        }
    }

    /// Returns a known offset as a member with its comma, or an empty text.
    static func place(_ offset: Double?) -> String {
        offset.map { "\"y\":\(plain($0))," } ?? ""
    }

    /// Returns an offset as a line, with its line break.
    public static func line(_ sample: Trace.Sample) -> String {
        line(sample.time, "\"y\":\(plain(sample.offset)),\"phase\":\"scroll\"")
    }

    /// Returns the known facts about a trace's screen as members of its first line, or an empty
    /// text.
    static func facts(height: Double?, hz: Int?) -> String {
        (height.map { ",\"viewport\":\(plain($0))" } ?? "") + (hz.map { ",\"hz\":\($0)" } ?? "")
    }

    /// Returns the first line of a trace with the known facts about its screen.
    public static func first(_ line: String, height: Double?, hz: Int?) -> String {
        line.dropLast(2) + facts(height: height, hz: hz) + "}\n"
    }

    static func write(_ trace: Trace, to sink: (String) throws -> Void) rethrows {
        var isFirst = true
        var samples = trace.samples[...]
        func put(_ text: String) throws {
            try sink(
                isFirst ? first(text, height: trace.viewportHeight, hz: trace.hz) : text)
            isFirst = false
        }
        func putSamples(until time: Instant) throws {
            while let sample = samples.first, sample.time <= time {
                try put(line(sample))
                samples.removeFirst()
            }
        }
        for event in trace.events {
            try putSamples(until: event.time)
            try put(line(event))
        }
        try putSamples(until: .distantFuture)
    }

    private static func line(_ time: Instant, _ rest: String) -> String {
        "{\"t\":\(decimal(time.nanoseconds, places: 9)),\(rest)}\n"
    }
}
