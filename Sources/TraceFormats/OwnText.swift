public import LullTesting

/// Writes this package's own lines.
public enum OwnText {
    /// An input as a line, with its end.
    public static func line(_ event: Trace.Event) -> String {
        switch event.input {
        case .down(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"down\"")
        case .move(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"move\"")
        case .up(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"up\"")
        case .cancel(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"cancel\"")
        case .wheel(let dy): line(event.time, "\"dy\":\(plain(dy)),\"phase\":\"wheel\"")
        case .key: line(event.time, "\"phase\":\"key\"")
        }
    }

    static func write(_ trace: Trace, to sink: (String) throws -> Void) rethrows {
        var facts = ""
        if let height = trace.viewportHeight { facts += ",\"viewport\":\(plain(height))" }
        if let hz = trace.hz { facts += ",\"hz\":\(hz)" }
        var samples = trace.samples[...]
        func put(_ text: String) throws {
            guard !facts.isEmpty else { return try sink(text) }
            try sink(text.dropLast(2) + facts + "}\n")
            facts = ""
        }
        func putSamples(until time: Int64) throws {
            while let sample = samples.first, sample.time <= time {
                try put(line(sample.time, "\"y\":\(plain(sample.offset)),\"phase\":\"scroll\""))
                samples.removeFirst()
            }
        }
        do {
            for event in trace.events {
                try putSamples(until: event.time)
                try put(line(event))
            }
            try putSamples(until: .max)
        }
    }

    private static func line(_ time: Int64, _ rest: String) -> String {
        "{\"t\":\(decimal(time, places: 9)),\(rest)}\n"
    }
}
