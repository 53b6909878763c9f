public import DeferredLoading
internal import Foundation
public import IdleLoop
public import ScrollModel

/// A recorded scroll, played through the same loop, queue and loader that a daemon runs.
///
/// On virtual time its figures are those of the model of replays, to the nanosecond, on any machine:
///
/// ```swift
/// let trace = try Trace(contentsOf: "fling.jsonl")
/// let list = Viewport(rows: try RowHeights(count: 5000, height: 80), height: 800)
/// let outcome = try Replay(of: trace, in: list, policy: .within(rows: 3)).run()
/// ```
///
/// Input arrives through a descriptor, frames come from a timer, and rows are loaded in lulls.
public final class Replay {
    /// The result of a replay.
    public struct Outcome: Sendable {
        /// The figures.
        public var figures: Figures
        /// The rows that couldn't be loaded, with their errors, in the order of rows.
        public var failures: [(row: Int, reason: any Error)]
        /// The rows visible at the end that are neither loaded nor failed.
        public var unsettled: [Int]
        /// The number of wake-ups of the loop after the replay had ended and nothing was left to
        /// do; nil except in real time.
        public var quietWakeups: Int?
        /// The loop's statistics.
        public var loop: Statistics
    }

    /// An event in a replay, for observers.
    public enum Note: Equatable, Sendable {
        /// A policy returned a new set of wanted rows.
        case wanted([Wanted<Int>])
        /// The first slice of a row's load is about to run.
        case began(row: Int)
        /// A row's load is finished.
        case finished(row: Int)
        /// A row's load has failed.
        case failed(row: Int)
        /// A frame begins with these visible rows, of which `missing` are neither loaded nor
        /// failed.
        case frame(number: Int, visible: Range<Int>, missing: Int)
    }

    /// The callback for each event, with its time in nanoseconds.
    public var onNote: ((Int64, Note) -> Void)?

    let trace: Trace
    let options: ReplayOptions
    let path: OffsetPath
    let work: any RowWork
    let loop: MainLoop
    let queue: IdleQueue<Int>
    var gate: SchedulingGate
    /// Whether a timer for the next question to the gate is set.
    var isAlarmSet = false
    var loader: DeferredLoader<Int, any Sendable>?
    var list: DeferredList<Int, any Sendable>?
    /// The rule that decides what to load; it may be changed during a replay, with immediate
    /// effect.
    public var policy: any LoadingPolicy
    /// The log so far, if the options ask for it.
    public internal(set) var log: ReplayLog?

    private enum Stage {
        case ready
        case playing
        case finished(Outcome)
    }

    private var stage = Stage.ready
    private var isAdvancing = false
    var origin = Instant.zero
    let schedule: FrameSchedule
    var nextEvent = 0
    var visible: Range<Int> = 0..<0
    var memory: ReplayMemory?
    /// The row for which others are evicted.
    private var newest = 0
    var ledger: MetricsRecorder

    /// Creates a replay of a trace in a list, by a policy.
    ///
    /// `viewport` is the list, and its position unless the trace contains it. `work` is the work of
    /// loading a row; without it, the options' cost is drawn. Throws if the process is out of
    /// descriptors.
    public init(
        of trace: Trace, in viewport: Viewport, policy: any LoadingPolicy,
        work: (any RowWork)? = nil, options: ReplayOptions = .init()
    ) throws(LoopError) {
        precondition(options.hz > 0 && options.hz <= 1000, "1 to 1000 frames a second")
        precondition(options.cost >= .zero && options.latency >= .zero, "costs aren't negative")
        self.trace = trace
        self.options = options
        self.policy = policy
        self.work = work ?? DrawnWork(base: options.cost, seed: options.seed)
        if options.isLogged {
            log = ReplayLog(list: viewport.list, viewportHeight: viewport.height)
            log?.title.trace = trace.name
            log?.title.engine = options.engine.rawValue
            log?.title.hz = options.hz
            log?.title.seed = options.seed
        }
        path = OffsetPath(
            of: trace, in: viewport, scroller: options.scroller, slop: options.slop)
        schedule = FrameSchedule(along: path, options: options)
        ledger = MetricsRecorder(schedule)
        gate = SchedulingGate(options.engine)
        switch options.clock {
        case .virtual: loop = try MainLoop(clock: .virtual(VirtualTime()))
        case .real: loop = try MainLoop()
        }
        var configuration = QueueConfiguration()
        configuration.limit = options.queueLimit ?? .max
        configuration.slice = options.engine.configuration.slice
        configuration.endsSlicesWhenDue = options.engine.configuration.endsSlicesWhenDue
        if options.clock == .virtual || options.engine.isGated { configuration.batch = .zero }
        if options.engine.isGated { configuration.modes = .default }
        queue = IdleQueue(on: loop, configuration: configuration)
        let pool = try WorkerPool(width: options.fetches, on: loop)
        var keeping = LoaderConfiguration()
        keeping.capacity = .max
        keeping.suspended = .max
        keeping.nearlyDone = nil
        memory = options.memory.map { ReplayMemory(capacity: $0) }
        let loader = DeferredLoader(
            queue: queue, pool: pool, source: Source(replay: self), configuration: keeping)
        // Without samples, fingers move the list without slop, and without lead.
        let model = options.scroller.model
        let tracker = ScrollTracker(
            viewport,
            predictor: trace.samples.isEmpty
                ? FlingPredictor(model: model, slop: 0, lead: 0) : FlingPredictor(model: model))
        let list = DeferredList(
            sharing: loader, tracker, rule: Rule(replay: self), key: { $0 }, show: { _, _ in })
        if options.isLogged {
            loader.onDecision = { [weak self] decision in self?.note(decision) }
        }
        (self.loader, self.list) = (loader, list)
    }

    /// The rule of the replay's list, which forwards to the policy during playback.
    private struct Rule: LoadingPolicy {
        weak let replay: Replay?

        func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
            replay?.wanted(after: moment, loads)
        }

        func explanation(ofRow row: Int) -> String? { replay?.policy.explanation(ofRow: row) }
    }

    private func wanted(after moment: ScrollState, _ loads: any LoadStatus) -> [Wanted<Int>]? {
        guard isPlaying, options.engine != .inFrame,
            let wanted = policy.wanted(after: moment, loads: loads)
        else { return nil }
        onNote?(elapsed, .wanted(wanted))
        return wanted
    }

    /// Plays the trace to its end.
    public func run() throws -> Outcome {
        try start()
        try advance(to: schedule.end)
        return try finish()
    }

    /// The trace's end in nanoseconds, including its tail.
    public var end: Int64 { schedule.end }

    /// Prepares playback, which continues with ``advance(to:)`` and ends with ``finish()``.
    ///
    /// A replay is played once: later calls do nothing.
    public func start() throws {
        guard case .ready = stage, let loader else { return }
        if options.isWarm { warmUp(loader) }
        stage = .playing
        origin = options.clock == .virtual ? .zero : loop.clock.now.advanced(by: .milliseconds(20))
        playInputs()
        if options.engine.isGated {
            loop.observe(.beforeIdle) { [weak self] _ in self?.askGate() }
        }
        scheduleFrame(0)
    }

    /// Plays up to a time in nanoseconds from the start of the trace, or to its end.
    ///
    /// On virtual time it takes no longer than the work does, so that a program can play a replay
    /// at any pace, or frame by frame. It does nothing when called from inside the replay, before
    /// the start, or after the end.
    public func advance(to time: Int64) throws {
        guard isPlaying, !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        try loop.run(until: moment(min(time, schedule.end)))
    }

    /// Ends a replay and returns the result of what was played; later calls return the same.
    public func finish() throws -> Outcome {
        if case .finished(let outcome) = stage { return outcome }
        // The queue is still attached to the loop, as it must cost nothing when it is empty.
        let isWatched = options.clock == .real && queue.isEmpty && !isAdvancing
        let quiet = isWatched ? try watchSleep() : nil
        queue.close()
        ledger.close()
        ledger.noteQueue(queue.statistics)
        log?.end = schedule.end
        log?.figures = ledger.figures
        let outcome = Outcome(
            figures: ledger.figures,
            failures: ledger.failures.sorted { $0.key < $1.key }.map {
                (row: $0.key, reason: $0.value)
            },
            unsettled: visible.filter { !isSettled($0) },
            quietWakeups: quiet, loop: loop.statistics)
        stage = .finished(outcome)
        return outcome
    }

    /// Whether the replay was started and isn't finished.
    var isPlaying: Bool {
        if case .playing = stage { true } else { false }
    }

    private func note(_ decision: LoadDecision<Int>) {
        var decision = decision
        // Rows loaded beforehand, perhaps in real time, count as loaded at the start.
        var time = origin.duration(to: decision.time)
        if case .ready = stage { time = .zero }
        decision.time = .zero.advanced(by: time)
        if case .invalidated = decision.kind, let memory {
            decision.kind = .evicted
            decision.reason = "room for \(newest): \(memory.capacity) values are kept"
        }
        log?.decisions.append(decision)
    }

    /// Loads the rows that are visible before the trace begins, at no cost.
    func warmUp(_ loader: DeferredLoader<Int, any Sendable>) {
        guard var viewport = list?.viewport else { return }
        viewport.scroll(to: path.offset(at: 0))
        memory?.show(viewport.visibleRows)
        for row in viewport.visibleRows {
            makeRoom(for: row)
            loader.settle(row, Result { try load(row, charging: false) })
            log?.warm.append(row)
            if case .failed(let error, _) = loader.state(of: row) {
                ledger.noteFailure(of: row, error)
            }
        }
    }

    /// Evicts rows to make room for a new one.
    func makeRoom(for row: Int) {
        guard let gone = memory?.keep(row, besides: wanted) else { return }
        newest = row
        for row in gone { loader?.invalidate(row) }
    }

    /// Returns the state of a row's load.
    public func state(ofRow row: Int) -> LoadState<any Sendable> {
        loader?.state(of: row) ?? .placeholder
    }

    /// Returns the progress of a row's load, as a policy sees it.
    public func progress(ofRow row: Int) -> LoadProgress {
        loader?.progress(of: row) ?? .none
    }

    /// The current demand, in the order of the policy's answer.
    public var wanted: [Wanted<Int>] { list?.wanted ?? [] }

    // MARK: - Time

    /// The nanoseconds since the trace began.
    var elapsed: Int64 { origin.duration(to: loop.clock.now).nanoseconds }

    func moment(_ time: Int64) -> Instant { origin.advanced(by: .nanoseconds(time)) }

    // MARK: - End

    /// Runs the idle loop for a while and returns the number of its wake-ups.
    func watchSleep() throws -> Int {
        let before = loop.statistics.turns
        let inbox = loop.inbox
        let quiet = options.quiet
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: quiet.inSeconds)
            inbox.post { $0.stop() }
        }
        try loop.run()
        return loop.statistics.turns - before - 1
    }
}
