/// A record of a loop's work in one turn: for a trace, or to find what keeps a loop busy.
///
/// ```swift
/// loop.observeTurns { turn in
///     for span in turn.spans where span.end - span.start > .milliseconds(4) {
///         log(turn.number, span)
///     }
/// }
/// ```
public struct Turn: Sendable {
    /// A kind of work that a loop spends its time on.
    public enum Work: Equatable, Sendable {
        /// A handler of this descriptor.
        case descriptor(Int32)
        /// A handler of this signal.
        case signal(Int32)
        /// A handler of the end of this child process.
        case child(Int32)
        /// Posts of other threads, one batch.
        case inbox
        /// The timerfd of the loop's timers, each of which is recorded on its own.
        case timers
        /// A timer.
        case timer
        /// A frame, by its source's name.
        case frame(String)
        /// A job, or a slice of one, by its queue's name and its key.
        case job(queue: String, key: String)
        /// The loop's sleep.
        case sleep
    }

    /// A span of time spent on one piece of work.
    public struct Span: Equatable, Sendable {
        /// The work.
        public let work: Work
        /// The time at which it began.
        public let start: Instant
        /// The time at which it ended.
        public let end: Instant

        /// The duration of the work.
        package var duration: Duration { start.duration(to: end) }
    }

    /// The number of the turn, as counted by the loop's statistics.
    public let number: Int
    /// The spans in the order in which they began; a span inside another comes after it.
    public let spans: [Span]

    /// The time from the beginning of the first thing that ran to the end of the last, without the
    /// sleep; nil if the loop only slept.
    public var timeAwake: Duration? {
        let work = spans.lazy.filter { $0.work != .sleep }
        guard let start = work.map(\.start).min(), let end = work.map(\.end).max() else {
            return nil
        }
        return start.duration(to: end)
    }
}

/// A recorder of a turn's spans, used while there are observers.
struct TurnRecorder {
    private var spans: [Turn.Span] = []

    mutating func add(_ work: Turn.Work, from start: Instant, to end: Instant) {
        spans.append(.init(work: work, start: start, end: end))
    }

    /// Records the start of a piece of work, and returns the number by which its end is recorded.
    mutating func begin(_ work: Turn.Work, at start: Instant) -> Int {
        add(work, from: start, to: start)
        return spans.count - 1
    }

    mutating func end(_ number: Int, at end: Instant) {
        guard spans.indices.contains(number) else { return }
        spans[number] = .init(work: spans[number].work, start: spans[number].start, end: end)
    }

    mutating func take() -> [Turn.Span] {
        defer { spans.removeAll(keepingCapacity: true) }
        return spans
    }
}
