#if Logging
internal import IdleLoop
internal import Logging

/// The number of long turns since the last line about them, and the longest one.
struct LongTurns {
    private var count = 0
    private var worst: (turn: Turn, duration: Duration)?

    mutating func add(_ turn: Turn, ifLongerThan limit: Duration) {
        guard let duration = turn.timeAwake, duration > limit else { return }
        count += 1
        if let worst, worst.duration >= duration { return }
        worst = (turn, duration)
    }

    /// Removes and returns the metadata of the long turns; nil if there were none.
    mutating func take() -> Logger.Metadata? {
        defer { self = LongTurns() }
        guard let (turn, duration) = worst else { return nil }
        var metadata: Logger.Metadata = [
            "count": "\(count)", "longest": "\(duration)", "turn": "\(turn.number)",
        ]
        let spans = turn.spans.filter { $0.work != .sleep }
        if let span = spans.max(by: { $0.duration < $1.duration }) {
            metadata["work"] = "\(span.work)"
            metadata["work took"] = "\(span.duration)"
        }
        return metadata
    }
}
#endif
