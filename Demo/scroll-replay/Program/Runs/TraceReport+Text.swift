import LullTesting
import ReplayText
import ScrollModel

extension TraceReport {
    /// Returns the report in words.
    func text(_ file: String, _ statement: String) -> String {
        var lines = ["\(file): \(statement)"]
        func line(_ name: String, _ text: String) {
            lines.append("  " + name.padded(to: 10) + text)
        }
        if strokes > 0 {
            let shown = flings.prefix(8).map {
                "\(decimals($0.velocity, 0)) px/s at \(seconds($0.time)) s"
            }
            let rest = flings.count > 8 ? ", …" : ""
            line(
                "fingers",
                counted(strokes, "stroke") + ", " + counted(flings.count, "fling")
                    + (shown.isEmpty ? "" : ": " + shown.joined(separator: ", ") + rest))
            line("sampled", spacing(fingers))
        }
        if wheels > 0 || keys > 0 {
            line("others", counted(wheels, "wheel turn") + ", " + counted(keys, "key"))
        }
        if !trace.samples.isEmpty { line("frames", spacing(frames)) }
        for warning in warnings { line("warning", warning) }
        if warnings.isEmpty { line("fine", "nothing to warn of") }
        return lines.joined(separator: "\n")
    }

    /// Returns the report as one JSON object.
    func json(_ file: String, _ dialect: String, _ statement: String) -> JSON {
        .members([
            ("file", .text(file)), ("dialect", .text(dialect)), ("statement", .text(statement)),
            ("duration_ns", .integer(trace.end.nanoseconds)), ("strokes", .integer(strokes)),
            (
                "flings",
                .list(
                    flings.map {
                        .members([
                            ("time_ns", .integer($0.time.nanoseconds)),
                            ("velocity_px_per_s", .six($0.velocity)),
                        ])
                    })
            ),
            ("wheels", .integer(wheels)), ("keys", .integer(keys)),
            ("offsets", .integer(trace.samples.count)), ("finger_hz", .six(fingers.rate)),
            ("finger_gap_max_ns", .nanoseconds(fingers.longest)), ("frame_hz", .six(frames.rate)),
            ("frame_gaps", .integer(frames.holes)),
            ("frame_gap_max_ns", .nanoseconds(frames.longest)),
            ("jumps", .integer(jumps)), ("beyond_content", .integer(beyond)),
            ("duplicate_times", .integer(duplicates)),
            ("warnings", .list(warnings.map { .text($0) })),
        ])
    }

    private func spacing(_ spacing: Spacing) -> String {
        guard !spacing.isEmpty else { return "no motion" }
        return "\(decimals(spacing.rate, 1)) Hz, longest gap "
            + "\(milliseconds(spacing.longest)) ms, \(spacing.holes) over 1.5 × usual"
    }
}
