public import DeferredLoading
internal import Foundation
public import IdleLoop
internal import LullLibC
public import ScrollModel

/// A recorded scroll, played through the same loop, queue and loader that a daemon runs, and measured.
///
/// It runs a ``/DeferredLoading/DeferredList`` with the loader, the queue's limit, the memory and the
/// price of work that it has in a program, and any rule: one of the library's, one of yours, or one after
/// another system, of which `Demo/scroll-replay` has ten. The rows are a model's, whose loads only take
/// time. On virtual time the figures are the same to the nanosecond on any machine:
///
/// ```swift
/// let trace = try Trace(contentsOf: "fling.jsonl")
/// let list = Viewport(rows: try RowHeights(count: 5000, height: 80), height: 800)
/// let outcome = try Replay(of: trace, in: list, policy: .within(rows: 3)).run()
/// ```
///
/// Or it runs a list of your own, with its keys, its source and its rule:
///
/// ```swift
/// let replay = try Replay(of: trace) { loop in
///     try DeferredList(on: loop, viewport, source: thumbnails) { row in
///         row
///     } show: { row, state in
///         if let picture = state.shown { cells[row].show(picture) }
///     }
/// }
/// #expect(try replay.run().figures.blank < .seconds(1))
/// ```
///
/// Input arrives through a descriptor, frames come from a timer, and rows are loaded in lulls. A jump
/// is reported when it begins, and when the recorded offsets have reached its target and stand still, or
/// another gesture begins.
public final class Replay {
    /// The callback for each event, with its time; the trace begins at `Instant.zero`.
    public var onNote: ((Instant, Note) -> Void)?
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
    private let steps: [ListStep]
    private let schedule: FrameSchedule
    private let loop: MainLoop
    private var list: (any ReplayedList)?
    /// The rule, the source and the loader of a list of the model's rows.
    private var policy: (any LoadingPolicy)?
    private var source: ReplaySource?
    private var loader: DeferredLoader<Int, any Sendable>?
    private var stage = Stage.ready
    private var isAdvancing = false
    /// The time at which the trace begins, on the loop's clock.
    private var origin = Instant.zero
    private var nextStep = 0
    private var visible = RowSet(0..<0)
    /// Keeps rows that are loaded at once until the list shows them.
    private var held: LoadList<Int, any Sendable>?
    private var metrics: MetricsRecorder

    /// Creates a replay of a trace in a list of the model's rows, by a policy.
    ///
    /// `viewport` is the list, and its position unless the trace contains it. `work` is the work of
    /// loading a row; without it, the options' cost is drawn. Throws if the process is out of
    /// descriptors. Traps if the rate isn't 1 to 1,000 Hz, a cost is negative, or there are lanes on
    /// the machine's clock.
    public convenience init(
        of trace: Trace, in viewport: Viewport, policy: any LoadingPolicy,
        work: (any RowWork)? = nil, options: ReplayOptions = .init()
    ) throws(LoopError) {
        precondition(options.cost >= .zero && options.latency >= .zero, "costs aren't negative")
        precondition(
            options.lanes == 0 || options.clock == .virtual, "lanes are simulated on virtual time")
        let loop = try MainLoop(clock: options.makeClock())
        self.init(trace, options, viewport, on: loop)
        var configuration = QueueConfiguration.list
        configuration.limit = options.queueLimit ?? .max
        configuration.slice = options.slice
        configuration.endsSlicesWhenDue = options.endsSlicesWhenDue
        configuration.lanes = .atMost(options.lanes)
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
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
        (self.policy, self.source, self.loader) = (policy, source, loader)
        self.list = MeasuredList(list)
    }

    /// Creates a replay of a trace in a list of one's own.
    ///
    /// `list` makes the list on the given loop, and the replay keeps it. It's played as it is: of the
    /// options, those of frames, of time, of the log and of the scroller apply, and with
    /// ``ReplayOptions/isWarm`` it has a second to load its first viewport before the trace begins. The
    /// list's callbacks may charge virtual time for what they do, beside what the replay charges for each
    /// input and frame.
    ///
    /// Figures count keys instead of rows. A load's cost is what its slices took on the loop: that of a
    /// load that fails isn't known. A loader that other lists share has the counts of its queue for all of
    /// them. The replay observes the loader's decisions, and passes them to the observer that was set
    /// before; `Note.wanted` is not noted, and the log has no slices.
    ///
    /// Throws if the process is out of descriptors, and what `list` throws. Traps if the rate isn't 1
    /// to 1,000 Hz, the list is on another loop, or the options would load rows in frames.
    public convenience init<Key, Value>(
        of trace: Trace, options: ReplayOptions = .init(),
        list: (MainLoop) throws -> DeferredList<Key, Value>
    ) throws {
        precondition(!options.loadsInFrame, "a list of one's own loads in lulls")
        let loop = try MainLoop(clock: options.makeClock())
        let list = try list(loop)
        precondition(list.loader.queue.loop === loop, "a replay's list is on its loop")
        self.init(trace, options, list.viewport, on: loop)
        let measured = MeasuredList(list)
        self.list = measured
        measured.observe { [weak self] decision, number, error in
            self?.note(decision)
            self?.measure(decision, number, error)
        }
    }

    /// Creates a replay without a list.
    private init(
        _ trace: Trace, _ options: ReplayOptions, _ viewport: Viewport, on loop: MainLoop
    ) {
        precondition(options.hz > 0 && options.hz <= 1000, "1 to 1000 frames a second")
        self.trace = trace
        self.options = options
        self.loop = loop
        if options.isLogged {
            log = ReplayLog(list: viewport.list, viewportHeight: viewport.height)
            log?.title.trace = trace.name
            log?.title.hz = options.hz
            log?.title.seed = options.seed
            log?.title.lanes = options.lanes
        }
        path = OffsetPath(
            of: trace, in: viewport, scroller: options.scroller, slop: options.slop)
        steps = ListStep.all(of: trace, along: path, reportsLandings: options.target == .trace)
        schedule = FrameSchedule(along: path, options: options)
        metrics = MetricsRecorder(schedule)
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
        guard case .ready = stage else { return }
        if options.isWarm { try warmUp() }
        stage = .playing
        origin = loop.clock.now
        if options.clock == .real { origin += .milliseconds(20) }
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
        let quiet = isWatched && list?.jobs == 0 ? try watchSleep() : nil
        loader?.queue.close()
        let figures = metrics.close(list?.statistics ?? QueueStatistics())
        log?.end = schedule.end
        log?.figures = figures
        let outcome = Outcome(
            figures: figures,
            failures: metrics.failures.sorted { $0.key < $1.key }.map {
                (row: $0.key, reason: $0.value)
            },
            unsettled: visible.filter { !isSettled(row: $0) },
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
            list?.handle(.frame, at: loop.clock.now, offset: list?.viewport.offset)
            let isSettled = list?.jobs == 0 && visible.allSatisfy { self.isSettled(row: $0) }
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

    /// The rule of a list of the model's rows, which forwards to the policy during playback.
    private struct Rule: LoadingPolicy {
        weak let replay: Replay?

        func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
            replay?.wanted(after: moment, loads)
        }

        var isPartial: Bool { replay?.policy?.isPartial ?? false }

        func explanation(ofRow row: Int) -> String? { replay?.policy?.explanation(ofRow: row) }
    }

    private func wanted(after moment: ScrollState, _ loads: any LoadStatus) -> [Wanted<Int>]? {
        guard isPlaying, !options.loadsInFrame,
            let wanted = policy?.wanted(after: moment, loads: loads)
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
        if isPlaying, options.lanes > 0 || loader == nil, case .begun = decision.kind {
            onNote?(decision.time, .began(row: decision.key))
        }
    }

    /// Counts a decision of a list of one's own.
    private func measure(_ decision: LoadDecision<Int>, _ number: Int, _ error: (any Error)?) {
        let time = traceTime(decision.time)
        guard isPlaying else {
            if let error { metrics.noteFailure(of: decision.key, error) }
            return
        }
        switch decision.kind {
        case .begun: metrics.beginLoad()
        case .unwanted(.begun(let spent)): metrics.spend(spent, on: number)
        case .finished(let cost):
            metrics.spend(cost, on: number)
            metrics.finishLoad(of: number)
            onNote?(time, .finished(row: decision.key))
        case .failed:
            metrics.failLoad()
            if let error { metrics.noteFailure(of: decision.key, error) }
            onNote?(time, .failed(row: decision.key))
        default: break
        }
    }

    /// Loads the rows that are visible before the trace begins: those of the model at no cost.
    private func warmUp() throws {
        guard let list else { return }
        let start = path.offset(at: .zero)
        guard let loader else {
            list.handle(.frame, at: loop.clock.now, offset: start)
            try loop.run(until: loop.clock.now + .seconds(1))
            log?.warm += list.viewport.visibleRows.filter { isSettled(row: $0) }
            return
        }
        var viewport = list.viewport
        viewport.scroll(to: start)
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

    /// Returns whether a row is loaded, or has failed.
    package func isSettled(row: Int) -> Bool { list?.isSettled(row: row) ?? false }

    /// Returns the progress of a row's load, as a policy sees it.
    public func progress(ofRow row: Int) -> LoadProgress {
        list?.progress(ofRow: row) ?? .none
    }

    /// Returns in one line why a row is wanted or isn't; nil if there is no explanation.
    public func explanation(ofRow row: Int) -> String? { list?.explanation(ofRow: row) }

    // MARK: - Time

    /// The time on a clock that begins with the trace.
    private var now: Instant { traceTime(loop.clock.now) }

    private func traceTime(_ time: Instant) -> Instant { .zero + (time - origin) }

    private func loopTime(_ time: Instant) -> Instant { origin + (time - .zero) }

    // MARK: - Inputs

    /// Schedules the trace's inputs, and the ends of its jumps.
    private func playInputs() {
        _ = loop.receive(at: steps.map { loopTime($0.time) }) { [weak self] in self?.takeSteps() }
    }

    private func takeSteps() {
        while isPlaying, nextStep < steps.count, steps[nextStep].time <= now {
            let step = steps[nextStep]
            nextStep += 1
            take(step)
        }
    }

    private func take(_ step: ListStep) {
        let start = now
        let offset = path.offset(at: start)
        // The program knows that its jump has ended: no input says so.
        if step.input != nil {
            metrics.noteInput(delay: start - step.time)
            loop.clock.spend(.microseconds(50))
        }
        let ended = now
        list?.handle(step.event, at: loopTime(step.time), offset: offset)
        if case .up = step.event, let target = list?.forecast?.target {
            log?.predictions.append(.init(time: ended, target: target))
        }
        if let index = step.input {
            log?.inputs.append(
                .init(
                    time: step.time, start: start, end: ended, input: trace.events[index].input))
        }
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
        let missing = rows.filter { !isSettled(row: $0) }
        let queued = list?.jobs ?? 0
        metrics.beginFrame(
            number, offset: viewport.offset, missing: missing.count,
            there: rows.filter { list?.isLoaded(row: $0) == true }.compactMap {
                list?.number(ofRow: $0)
            })
        onNote?(now, .frame(number: number, visible: rows, missing: missing.count))
        loop.clock.spend(.microseconds(1500 + 200 * new))
        log?.frames.append(
            .init(
                number: number, due: schedule.due(number), start: start, end: now,
                deadline: schedule.due(number + 1), offset: viewport.offset, visible: rows,
                missing: missing, queued: queued))
        scheduleFrame(metrics.endFrame(number, at: now))
        list?.handle(.frame, at: loopTime(start), offset: viewport.offset)
        held = nil
    }

    // MARK: - Loads

    private func loaded(_ row: Int, isCharged: Bool) -> Result<any Sendable, any Error> {
        Result {
            guard let source else { throw CancellationError() }
            return try source.loadAtOnce(row, isCharged: isCharged)
        }
    }

    /// Loads the visible rows that are missing before the frame continues.
    private func loadInFrame(_ rows: RowSet) {
        let missing = rows.filter { !isSettled(row: $0) }
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
            metrics.failLoad()
            metrics.noteFailure(of: row, error)
            onNote?(now, .failed(row: row))
        }
    }
}
