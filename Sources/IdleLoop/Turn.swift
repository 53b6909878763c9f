/// What a loop did in one turn, and when: for a trace, or to find what keeps a loop busy.
///
/// ```swift
/// loop.onTurn = { turn in
///     for span in turn.spans where span.end - span.start > .milliseconds(4) {
///         log(turn.number, span)
///     }
/// }
/// ```
public struct Turn: Sendable {
    /// What a loop spends its time with.
    public enum Work: Equatable, Sendable {
        /// A handler of this descriptor.
        case descriptor(Int32)
        /// A handler of this signal.
        case signal(Int32)
        /// A handler of this child's end.
        case child(Int32)
        /// What other threads have posted, one batch.
        case inbox
        /// The alarm of the loop's timers, which are told of one by one.
        case timers
        /// One timer.
        case timer
        /// One frame, by its source's name.
        case frame(String)
        /// A job, or a slice of one, by its queue's name and its key.
        case job(queue: String, key: String)
        /// Sleep.
        case sleep
    }

    /// A stretch of time spent with one thing.
    public struct Span: Equatable, Sendable {
        /// What ran.
        public let work: Work
        /// When it began.
        public let start: Instant
        /// When it ended.
        public let end: Instant

        /// How long it took.
        package var duration: Duration { start.duration(to: end) }
    }

    /// The number of the turn, as the loop's statistics count.
    public let number: Int
    /// What ran, in the order in which it began; what ran inside something else comes after it.
    public let spans: [Span]

    /// From the beginning of the first thing that ran to the end of the last, without the sleep; nil
    /// if the loop only slept.
    package var timeAwake: Duration? {
        let work = spans.lazy.filter { $0.work != .sleep }
        guard let start = work.map(\.start).min(), let end = work.map(\.end).max() else {
            return nil
        }
        return start.duration(to: end)
    }
}

/// Collects a turn's spans while somebody wants to know.
struct TurnRecorder {
    private var spans: [Turn.Span] = []

    mutating func add(_ work: Turn.Work, from start: Instant, to end: Instant) {
        spans.append(.init(work: work, start: start, end: end))
    }

    /// Notes that something begins, and gives its number, under which its end is noted.
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
