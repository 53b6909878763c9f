/// What a loop did in one turn, and when: for a trace, or to find what keeps a loop busy.
///
/// ```swift
/// loop.onTurn = { turn in
///     for span in turn.spans where span.duration > .milliseconds(4) { log(turn.number, span) }
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
        public var duration: Duration { start.duration(to: end) }
    }

    /// The number of the turn, as the loop's statistics count.
    public let number: Int
    /// What ran, in the order in which it began; what ran inside something else comes after it.
    public let spans: [Span]

    /// From the beginning of the first thing that ran to the end of the last, without the sleep; nil
    /// if the loop only slept.
    public var timeAwake: Duration? {
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

extension MainLoop {
    /// Runs `body` and notes what it was and how long it took.
    func record<Result>(_ work: Turn.Work, _ body: () -> Result) -> Result {
        let number = recorder?.begin(work, at: clock.now)
        defer { if let number { recorder?.end(number, at: clock.now) } }
        return body()
    }

    /// Whether anybody wants to know of turns.
    var tellsOfTurns: Bool { onTurn != nil || !turnListeners.isEmpty }

    /// Has `body` be told of each turn, beside `onTurn`, until `owner` gives nil.
    package func listenToTurns(for owner: AnyObject, _ body: ((Turn) -> Void)?) {
        var others = turnListeners.filter { $0.owner != ObjectIdentifier(owner) }
        if let body { others.append((ObjectIdentifier(owner), body)) }
        turnListeners = others
    }

    /// Records what runs from now on, if it is to be told of.
    func beginRecord() {
        recorder = tellsOfTurns ? recorder ?? TurnRecorder() : nil
        status.isRecording = recorder != nil
    }

    /// Tells of the turn that ends, and begins to record the next if it is to be told of.
    func endRecord() {
        let spans = recorder?.take() ?? []
        beginRecord()
        guard !spans.isEmpty else { return }
        let turn = Turn(number: counts.turns, spans: spans)
        onTurn?(turn)
        for listener in turnListeners where !isClosed { listener.body(turn) }
    }
}
