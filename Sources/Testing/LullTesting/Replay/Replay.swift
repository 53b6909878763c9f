public import DeferredLoading
internal import Foundation
public import IdleLoop
internal import LullLibC
public import ScrollModel

/// A recorded scroll, played through the same loop, queue and loader that a daemon runs.
///
/// On virtual time its figures are those of the model of replays, to the nanosecond, on any
/// machine:
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
        /// The first slice of a row's load is about to run, here or on a lane.
        case began(row: Int)
        /// A row's load is finished.
        case finished(row: Int)
        /// A row's load has failed.
        case failed(row: Int)
        /// A frame begins with these visible rows, of which `missing` are neither loaded nor
        /// failed.
        case frame(number: Int, visible: RowSet, missing: Int)
    }

    /// The callback for each event, with its time; the trace begins at `Instant.zero`.
    public var onNote: ((Instant, Note) -> Void)?
    /// The rule that decides what to load; it may be changed during a replay, with immediate
    /// effect.
    public var policy: any LoadingPolicy
    /// The log so far, if the options ask for it.
    public private(set) var log: ReplayLog?

    private enum Stage {
        case ready
        case playing
        case finished(Outcome)
    }

    private let trace: Trace
    private let options: ReplayOptions
    private let path: OffsetPath
    private let schedule: FrameSchedule
    private let loop: MainLoop
    private let queue: IdleQueue<Int>
    private var source: ReplaySource?
    private var loader: DeferredLoader<Int, any Sendable>?
    private var list: DeferredList<Int, any Sendable>?
    private var stage = Stage.ready
    private var isAdvancing = false
    /// The time at which the trace begins, on the loop's clock.
    private var origin = Instant.zero
    private var nextEvent = 0
    private var visible = RowSet(0..<0)
    /// Keeps rows that are loaded at once until the list shows them.
    private var held: LoadList<Int, any Sendable>?
    private var metrics: MetricsRecorder

    /// Creates a replay of a trace in a list, by a policy.
    ///
    /// `viewport` is the list, and its position unless the trace contains it. `work` is the work of
    /// loading a row; without it, the options' cost is drawn. Throws if the process is out of
    /// descriptors. Traps if the rate isn't 1 to 1,000 Hz, a cost is negative, or there are lanes on
    /// the machine's clock.
    public init(
        of trace: Trace, in viewport: Viewport, policy: any LoadingPolicy,
        work: (any RowWork)? = nil, options: ReplayOptions = .init()
    ) throws(LoopError) {
        precondition(options.hz > 0 && options.hz <= 1000, "1 to 1000 frames a second")
        precondition(options.cost >= .zero && options.latency >= .zero, "costs aren't negative")
        precondition(
            options.lanes == 0 || options.clock == .virtual, "lanes are simulated on virtual time")
        self.trace = trace
        self.options = options
        self.policy = policy
        if options.isLogged {
            log = ReplayLog(list: viewport.list, viewportHeight: viewport.height)
            log?.title.trace = trace.name
            log?.title.hz = options.hz
            log?.title.seed = options.seed
            log?.title.lanes = options.lanes
        }
        path = OffsetPath(
            of: trace, in: viewport, scroller: options.scroller, slop: options.slop)
        schedule = FrameSchedule(along: path, options: options)
        metrics = MetricsRecorder(schedule)
        switch options.clock {
        case .virtual: loop = try MainLoop(clock: .virtual(VirtualTime()))
        case .real: loop = try MainLoop()
        }
        var configuration = QueueConfiguration.list
        configuration.limit = options.queueLimit ?? .max
        configuration.slice = options.slice
        configuration.endsSlicesWhenDue = options.endsSlicesWhenDue
        configuration.lanes = .atMost(options.lanes)
        queue = IdleQueue(on: loop, configuration: configuration)
        let pool = try WorkerPool(width: options.fetches, on: loop)
        let source = ReplaySource(
            work: work ?? DrawnWork(base: options.cost, seed: options.seed), options: options,
            clock: loop.clock, replay: self)
        let loader = DeferredLoader(
            queue: queue, pool: pool, source: source, configuration: options.limits)
        // Without samples, fingers move the list without slop, and without lead.
        let (model, tracking) = (options.scroller.model, options.scroller.tracking)
        let tracker = ScrollTracker(
            viewport,
            predictor: trace.samples.isEmpty
                ? FlingPredictor(model: model, tracking: tracking, slop: 0, lead: 0)
                : FlingPredictor(model: model, tracking: tracking))
        let list = DeferredList(
            sharing: loader, tracker, options: .init(rule: Rule(replay: self)), key: { $0 },
            show: { _, _ in })
        if options.isLogged || options.lanes > 0 {
            loader.onDecision = { [weak self] decision in self?.note(decision) }
        }
        (self.source, self.loader, self.list) = (source, loader, list)
    }

    // MARK: - Playback

    /// Plays the trace to its end.
    public func run() throws -> Outcome {
        try start()
        try advance(to: schedule.end)
        return try finish()
    }

    /// The trace's end, including its tail; it begins at `Instant.zero`.
    public var end: Instant { schedule.end }

    /// Prepares playback, which continues with ``advance(to:)`` and ends with ``finish()``.
    ///
    /// A replay is played once: later calls do nothing.
    public func start() throws {
        guard case .ready = stage, let loader else { return }
        if options.isWarm { warmUp(loader) }
        stage = .playing
        origin = options.clock == .virtual ? .zero : loop.clock.now.advanced(by: .milliseconds(20))
        playInputs()
        scheduleFrame(0)
    }

    /// Plays up to a time, the trace's start being `Instant.zero`, or to its end.
    ///
    /// On virtual time it takes no longer than the work does, so that a program can play a replay
    /// at any pace, or frame by frame. It does nothing when called from inside the replay, before
    /// the start, or after the end.
    public func advance(to time: Instant) throws {
        guard isPlaying, !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        try loop.run(until: loopTime(min(time, schedule.end)))
    }

    /// Ends a replay and returns the result of what was played; later calls return the same.
    public func finish() throws -> Outcome {
        if case .finished(let outcome) = stage { return outcome }
        let isWatched = options.clock == .real && !isAdvancing
        if isWatched { try settle() }
        // The queue is still attached to the loop, as it must cost nothing when it is empty.
        let quiet = isWatched && queue.isEmpty ? try watchSleep() : nil
        queue.close()
        let figures = metrics.close(queue.statistics)
        log?.end = schedule.end
        log?.figures = figures
        let outcome = Outcome(
            figures: figures,
            failures: metrics.failures.sorted { $0.key < $1.key }.map {
                (row: $0.key, reason: $0.value)
            },
            unsettled: visible.filter { !isSettled($0) },
            quietWakeups: quiet, loop: loop.statistics)
        stage = .finished(outcome)
        return outcome
    }

    /// Shows the last frame until its rows are settled and nothing is queued, for ten minutes at most:
    /// on the machine's clock, loads may take longer than the trace.
    private func settle() throws {
        let end = loop.clock.now + .seconds(600)
        let frames = loop.frames(every: .milliseconds(16)) { [weak self] frame in
            guard let self else { return }
            list?.scrolled(to: list?.viewport.offset ?? 0)
            let isSettled = queue.isEmpty && visible.allSatisfy(isSettled)
            if isSettled || frame.due > end { loop.stop() }
        }
        try loop.run()
        frames.cancel()
    }

    /// Runs the idle loop for a while and returns the number of its wake-ups.
    private func watchSleep() throws -> Int {
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

    /// Whether the replay was started and isn't finished.
    private var isPlaying: Bool {
        if case .playing = stage { true } else { false }
    }

    /// The rule of the replay's list, which forwards to the policy during playback.
    private struct Rule: LoadingPolicy {
        weak let replay: Replay?

        func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
            replay?.wanted(after: moment, loads)
        }

        var isPartial: Bool { replay?.policy.isPartial ?? false }

        func explanation(ofRow row: Int) -> String? { replay?.policy.explanation(ofRow: row) }
    }

    private func wanted(after moment: ScrollState, _ loads: any LoadStatus) -> [Wanted<Int>]? {
        guard isPlaying, !options.loadsInFrame,
            let wanted = policy.wanted(after: moment, loads: loads)
        else { return nil }
        onNote?(now, .wanted(wanted))
        return wanted
    }

    private func note(_ decision: LoadDecision<Int>) {
        var decision = decision
        decision.time = traceTime(decision.time)
        // Rows loaded beforehand, perhaps in real time, count as loaded at the start.
        if case .ready = stage { decision.time = .zero }
        log?.decisions.append(decision)
        if options.lanes > 0, case .begun = decision.kind {
            onNote?(decision.time, .began(row: decision.key))
        }
    }

    /// Loads the rows that are visible before the trace begins, at no cost.
    private func warmUp(_ loader: DeferredLoader<Int, any Sendable>) {
        guard var viewport = list?.viewport else { return }
        viewport.scroll(to: path.offset(at: .zero))
        hold(viewport.visibleRows)
        for row in viewport.visibleRows {
            loader.settle(row, loaded(row, isCharged: false))
            log?.warm.append(row)
            if case .failed(let error, _) = loader.state(of: row) {
                metrics.noteFailure(of: row, error)
            }
        }
    }

    /// Keeps rows from being evicted until the list has shown a frame.
    private func hold(_ rows: RowSet) {
        held = loader?.list { _, _ in }
        for row in rows { held?.subscribe(to: row) }
    }

    /// Returns the state of a row's load.
    package func state(ofRow row: Int) -> LoadState<any Sendable> {
        loader?.state(of: row) ?? .placeholder
    }

    /// Returns the progress of a row's load, as a policy sees it.
    public func progress(ofRow row: Int) -> LoadProgress {
        loader?.progress(of: row) ?? .none
    }

    // MARK: - Time

    /// The time on a clock that begins with the trace.
    private var now: Instant { traceTime(loop.clock.now) }

    private func traceTime(_ time: Instant) -> Instant { .zero + (time - origin) }

    private func loopTime(_ time: Instant) -> Instant { origin + (time - .zero) }

    // MARK: - Inputs

    /// Schedules the trace's inputs.
    ///
    /// The loop doesn't know their times beforehand, as in production.
    private func playInputs() {
        let port = loop.port(of: Void.self) { [weak self] in self?.takeInput() }
        let moments = trace.events.map { loopTime($0.time) }
        switch loop.clock {
        case .virtual(let time):
            for moment in moments { time.at(moment) { port.send(()) } }
        case .monotonic:
            Thread.detachNewThread {
                for moment in moments {
                    let rest = LoopClock.monotonic.now.duration(to: moment)
                    if rest > .zero { Thread.sleep(forTimeInterval: rest.inSeconds) }
                    port.send(())
                }
            }
        }
    }

    private func takeInput() {
        while isPlaying, nextEvent < trace.events.count, trace.events[nextEvent].time <= now {
            let index = nextEvent
            nextEvent += 1
            handle(trace.events[index], number: index)
        }
    }

    private func handle(_ event: Trace.Event, number: Int) {
        let start = now
        metrics.noteInput(delay: start - event.time)
        let offset = path.offset(at: start)
        loop.clock.spend(.microseconds(50))
        let host = options.target == .trace ? path.target(ofLift: number, in: trace) : nil
        let ended = now
        list?.handle(
            ScrollEvent(event.input, target: host), at: loopTime(event.time), offset: offset)
        if case .up = event.input, let target = list?.forecast?.target {
            log?.predictions.append(.init(time: ended, target: target))
        }
        log?.inputs.append(
            .init(time: event.time, start: start, end: ended, input: event.input))
    }

    // MARK: - Frames

    private func scheduleFrame(_ number: Int) {
        guard number <= schedule.last else { return }
        loop.schedule(at: loopTime(schedule.due(number))) { [weak self] in
            self?.showFrame(number)
        }
    }

    private func showFrame(_ number: Int) {
        guard isPlaying, var viewport = list?.viewport else { return }
        let start = now
        viewport.scroll(to: path.offset(at: start))
        let rows = viewport.visibleRows
        let new = rows.count { !visible.contains($0) }
        visible = rows
        if options.loadsInFrame { loadInFrame(rows) }
        let missing = rows.filter { !isSettled($0) }
        let queued = queue.count
        metrics.beginFrame(
            number, offset: viewport.offset, missing: missing.count,
            there: rows.filter { loader?.state(of: $0).value != nil })
        onNote?(now, .frame(number: number, visible: rows, missing: missing.count))
        loop.clock.spend(.microseconds(1500 + 200 * new))
        log?.frames.append(
            .init(
                number: number, due: schedule.due(number), start: start, end: now,
                deadline: schedule.due(number + 1), offset: viewport.offset, visible: rows,
                missing: missing, queued: queued))
        scheduleFrame(metrics.endFrame(number, at: now))
        list?.scrolled(to: viewport.offset, at: loopTime(start))
        held = nil
    }

    // MARK: - Loads

    private func isSettled(_ row: Int) -> Bool {
        loader?.state(of: row).isSettled ?? false
    }

    private func loaded(_ row: Int, isCharged: Bool) -> Result<any Sendable, any Error> {
        Result {
            guard let source else { throw CancellationError() }
            return try source.loadAtOnce(row, isCharged: isCharged)
        }
    }

    /// Loads the visible rows that are missing before the frame continues.
    private func loadInFrame(_ rows: RowSet) {
        let missing = rows.filter { !isSettled($0) }
        let rounds = (missing.count + options.fetches - 1) / options.fetches
        loop.clock.spend(options.latency * rounds)
        hold(rows)
        for row in missing { loader?.settle(row, loaded(row, isCharged: true)) }
    }

    /// Records that a slice of a row's load begins.
    func beginSlice(of row: Int, isFirst: Bool, isOnLoop: Bool) {
        guard isFirst else { return }
        metrics.beginLoad()
        // A lane begins in the middle of whatever the loop does, where nobody can be called.
        if isOnLoop { onNote?(now, .began(row: row)) }
    }

    /// Records that a slice has ended.
    func endSlice(of row: Int, cost: Duration, isLast: Bool, isOnLoop: Bool) {
        metrics.spend(cost, on: row)
        let end = now
        log?.add(
            .init(row: row, start: end - cost, end: end, isLast: isLast), isOnLoop: isOnLoop)
    }

    /// Records the end of a load, on the loop.
    func endLoad(of row: Int, _ result: Result<any Sendable, any Error>) {
        switch result {
        case .success:
            metrics.finishLoad(of: row)
            onNote?(now, .finished(row: row))
        case .failure(let error):
            metrics.failLoad(of: row, error)
            onNote?(now, .failed(row: row))
        }
    }
}
