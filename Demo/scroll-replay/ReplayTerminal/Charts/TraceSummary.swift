package import LullTesting
internal import ReplayText
internal import ScrollModel

/// The figures of a trace.
package struct TraceSummary {
    private let log: ReplayLog
    private let trace: Trace
    private let strokes: [Stroke]

    /// Creates the summary of a trace and the log of its replay.
    package init(of trace: Trace, in log: ReplayLog) {
        self.trace = trace
        self.log = log
        strokes = Stroke.all(in: log)
    }

    /// The summary as lines of text.
    package var text: [String] {
        [
            "\(trace.name): \(seconds(trace.end, 2)) s; \(log.list.rowCount) rows, "
                + "viewport \(brief(log.viewportHeight)) px, \(log.title.hz) Hz",
            "  input   " + input, "  list    " + motion,
        ] + flings
    }

    private var input: String {
        var parts: [String] = []
        let fingers = trace.events.filter(\.isFinger)
        if !fingers.isEmpty {
            parts.append(counted(strokes.count, "stroke"))
            let rate = median(intervals(of: fingers.map(\.time))).map {
                " at \(Int((Duration.seconds(1) / $0).rounded())) Hz"
            }
            parts.append(counted(fingers.count, "finger sample") + (rate ?? ""))
        }
        let wheels = trace.events.count { if case .wheel = $0.input { true } else { false } }
        let keys = trace.events.count { if case .key = $0.input { true } else { false } }
        if wheels > 0 { parts.append(counted(wheels, "wheel notch", "wheel notches")) }
        if keys > 0 { parts.append(counted(keys, "key")) }
        if parts.isEmpty { parts.append("none") }
        parts.append(
            trace.samples.isEmpty
                ? "the list by the model" : counted(trace.samples.count, "recorded offset"))
        return parts.joined(separator: ", ")
    }

    private var motion: String {
        let offsets = log.frames.map(\.offset)
        guard let first = offsets.first, let last = offsets.last else { return "no frame" }
        let steps = zip(offsets, offsets.dropFirst()).map { $1 - $0 }
        let forth = steps.reduce(0) { $0 + max(0, $1) }
        let back = steps.reduce(0) { $0 + max(0, -$1) }
        let periods = zip(log.frames, log.frames.dropFirst()).map {
            ($1.due - $0.due) / .seconds(1)
        }
        let fastest = zip(steps, periods).map { abs($0 / $1) }.max() ?? 0
        return "\(pixels(first)) to \(pixels(last)) px: \(pixels(forth)) forth, \(pixels(back)) "
            + "back; \(counted(log.figures.rests, "rest")), at most \(pixels(fastest)) px/s"
    }

    private var flings: [String] {
        let flown = strokes.filter { $0.expected != nil }
        guard !flown.isEmpty else { return [] }
        let titles = ["lift", "velocity", "expected", "rested", "off by", "after"]
        let rows = flown.map { stroke in
            [
                seconds(stroke.up ?? .zero) + " s", pixels(stroke.velocity) + " px/s",
                pixels(stroke.expected ?? 0) + " px", pixels(stroke.landing) + " px",
                pixels((stroke.expected ?? 0) - stroke.landing) + " px",
                seconds(max(.zero, stroke.rest - (stroke.up ?? .zero)), 2) + " s"
                    + (stroke.isCaught ? ", caught" : ""),
            ]
        }
        let widths = titles.indices.map { index in
            ([titles] + rows).map { $0[index].count }.max() ?? 0
        }
        return ([titles] + rows).enumerated().map { index, row in
            (index == 0 ? "  flings  " : "          ")
                + zip(row, widths).enumerated().map { column, cell in
                    column < 5 ? cell.0.right(to: cell.1) : cell.0
                }.joined(separator: "  ")
        }
    }

    private func pixels(_ value: Double) -> String { decimals(value, 0) }

    private func intervals(of times: [Instant]) -> [Duration] {
        zip(times, times.dropFirst()).map { $1 - $0 }.filter {
            $0 > .zero && $0 < .milliseconds(100)
        }
    }
}

extension Trace.Event {
    /// Whether it is an input of a finger.
    var isFinger: Bool {
        switch input {
        case .down, .move, .up, .cancel: true
        case .wheel, .key: false
        }
    }
}
