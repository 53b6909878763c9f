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
/// let outcome = try Replay(of: trace, in: list, policy: LandingRows()).run()
/// ```
///
/// Input comes by a descriptor, frames by a timer, and what is loaded is loaded in lulls.
public final class Replay {
    /// What a replay came to.
    public struct Outcome: Sendable {
        /// The figures.
        public var figures: Figures
        /// Rows that couldn't be loaded, and why, in the order of rows.
        public var failures: [(row: Int, reason: any Error)]
        /// Rows on screen at the end that are neither loaded nor failed.
        public var unsettled: [Int]
        /// Times the loop woke after it was all over and nothing was left to do; only in real time.
        public var quietWakeups: Int?
        /// What the loop did in all.
        public var loop: Statistics
    }

    /// Something that happened in a replay, for those who watch one.
    public enum Note: Equatable, Sendable {
        /// A policy said what is wanted from now on.
        case wanted([Wanted<Int>])
        /// The first slice of a row's load is about to run.
        case began(row: Int)
        /// A row's load is finished.
        case finished(row: Int)
        /// A row's load has failed.
        case failed(row: Int)
        /// A frame begins with these rows on screen, so many of them neither loaded nor failed.
        case frame(number: Int, visible: Range<Int>, missing: Int)
    }

    /// Called for each thing that happens, with its time in nanoseconds.
    public var onNote: ((Int64, Note) -> Void)?

    private let trace: Trace
    private let options: ReplayOptions
    private let path: OffsetPath
    private let work: any RowWork
    private let loop: MainLoop
    private let queue: IdleQueue<Int>
    private let feed: InputFeed
    private var gate: EngineGate
    /// Whether a timer will have the gate asked again.
    private var isAlarmSet = false
    private var loader: DeferredLoader<Int, any Sendable>?
    /// The rule that is asked what to load; it may be changed on the way, and takes over at once.
    public var policy: any LoadingPolicy
    /// All that has happened so far, if the options ask for it.
    public private(set) var log: ReplayLog?
    private var predictor: FlingPredictor
    private var viewport: Viewport

    private var origin = Instant.zero
    private var hasBegun = false
    private let schedule: FrameSchedule
    private var nextEvent = 0
    private var visible: Range<Int> = 0..<0
    private var screen = Screen()
    private var ledger: ReplayLedger

    /// A replay of a trace in a list, by a policy.
    ///
    /// `viewport` is the list, and where it stands if the trace doesn't say. `work` is what loading
    /// a row takes; without it the options' cost is drawn. Throws if the process is out of
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
        self.viewport = viewport
        self.work = work ?? DrawnWork(base: options.cost, seed: options.seed)
        // Where the fingers move the list themselves there's no slop, and the list doesn't lead.
        predictor =
            trace.samples.isEmpty
            ? FlingPredictor(model: options.model, slop: 0, lead: 0)
            : FlingPredictor(model: options.model)
        if options.isLogged {
            log = ReplayLog(list: viewport.list, viewportHeight: viewport.height)
            log?.title.trace = trace.name
            log?.title.engine = options.engine.rawValue
            log?.title.hz = options.hz
            log?.title.seed = options.seed
        }
        path = OffsetPath(
            of: trace, in: viewport, model: options.model, slop: options.slop)
        schedule = FrameSchedule(
            hz: options.hz, phase: options.phase.nanoseconds, end: path.end + 1_500_000_000)
        ledger = ReplayLedger(schedule)
        gate = EngineGate(options.engine)
        switch options.clock {
        case .virtual: loop = try MainLoop(clock: .virtual(VirtualTime()))
        case .real: loop = try MainLoop()
        }
        var configuration = IdleQueue<Int>.Configuration()
        configuration.limit = options.queueLimit ?? .max
        configuration.slice = options.engine.configuration.slice
        configuration.endsSlicesWhenDue = options.engine.configuration.endsSlicesWhenDue
        if options.clock == .virtual || options.engine.isGated { configuration.batch = .zero }
        if options.engine.isGated { configuration.modes = .default }
        queue = IdleQueue(on: loop, configuration: configuration)
        feed = try InputFeed()
        let pool = try WorkerPool(width: options.fetches, on: loop)
        var keeping = DeferredLoader<Int, any Sendable>.Configuration()
        keeping.capacity = options.memory ?? .max
        keeping.eviction = .longestUnseen
        keeping.suspended = .max
        keeping.nearlyDone = nil
        loader = DeferredLoader(
            queue: queue, pool: pool, source: Source(replay: self), configuration: keeping
        ) { [unowned self] commit in
            screen.show(commit.key, in: commit.cell)
        }
        if options.isLogged {
            loader?.onDecision = { [unowned self] decision in
                var decision = decision
                // What is loaded beforehand, perhaps in real time, is there at the start.
                let time = hasBegun ? origin.duration(to: decision.time) : .zero
                decision.time = .zero.advanced(by: time)
                log?.decisions.append(decision)
            }
        }
    }

    /// Plays the trace to its end.
    public func run() throws -> Outcome {
        try start()
        try advance(to: schedule.end)
        return try finish()
    }

    /// The trace's end in nanoseconds, its tail included.
    public var end: Int64 { schedule.end }

    /// Gets ready to play; then ``advance(to:)`` and, at the end, ``finish()``.
    public func start() throws {
        guard let loader else { preconditionFailure("a replay has its loader") }
        if options.isWarm { warmUp(loader) }
        hasBegun = true
        origin = options.clock == .virtual ? .zero : loop.clock.now.advanced(by: .milliseconds(20))
        try loop.watch(feed.descriptor, for: .readable) { [unowned self] _ in takeInput() }
        feed.play(trace.events.map { moment($0.time) }, on: loop.clock)
        if options.engine.isGated {
            loop.observe(.beforeIdle) { [unowned self] _ in askGate() }
        }
        scheduleFrame(0)
    }

    /// Plays up to a time in nanoseconds from the start of the trace, or to its end.
    ///
    /// On virtual time it takes no longer than the work does, so that a program can play a replay at
    /// any pace, or frame by frame.
    public func advance(to time: Int64) throws {
        try loop.run(until: moment(min(time, schedule.end)))
    }

    /// Says what a replay that was played to its end came to.
    public func finish() throws -> Outcome {
        guard let loader else { preconditionFailure("a replay has its loader") }
        // With the queue still on the loop: it must cost nothing once it's empty.
        let quiet = options.clock == .real && queue.isEmpty ? try watchSleep() : nil
        queue.close()
        closeLedger()
        return Outcome(
            figures: ledger.figures,
            failures: ledger.failures.sorted { $0.key < $1.key }.map {
                (row: $0.key, reason: $0.value)
            },
            unsettled: visible.filter { !loader.state(of: $0).isSettled },
            quietWakeups: quiet, loop: loop.statistics)
    }

    /// Loads what is on screen before the trace begins, at no cost.
    private func warmUp(_ loader: DeferredLoader<Int, any Sendable>) {
        var list = viewport
        list.scroll(to: path.offset(at: 0))
        bindCells(to: list.visibleRows)
        for row in list.visibleRows {
            loader.settle(row, Result { try load(row, charging: false) })
            log?.warm.append(row)
            if case .failed(let error, _) = loader.state(of: row) {
                ledger.noteFailure(of: row, error)
            }
        }
    }

    /// How far a row's load has come.
    public func state(ofRow row: Int) -> LoadState<any Sendable> {
        loader?.state(of: row) ?? .placeholder
    }

    /// How far a row's load has come, as policies are told.
    public func progress(ofRow row: Int) -> LoadProgress {
        loader?.progress(of: row) ?? .none
    }

    /// What is wanted now, in the order of the policy's answer.
    public var wanted: [Wanted<Int>] { loader?.wanted ?? [] }

    // MARK: - Input and frames

    private func takeInput() {
        feed.drain()
        while nextEvent < trace.events.count, trace.events[nextEvent].time <= elapsed {
            let index = nextEvent
            nextEvent += 1
            handle(trace.events[index], number: index)
        }
    }

    private func handle(_ event: Trace.Event, number: Int) {
        let start = loop.clock.now
        ledger.noteInput(delay: elapsed - event.time)
        gate.note(event.input)
        var list = viewport
        list.scroll(to: path.offset(at: elapsed))
        loop.clock.spend(.microseconds(50))
        let time = Duration.nanoseconds(event.time)
        let happened: ScrollMoment.Event
        switch event.input {
        case .down(let y):
            predictor.fingerDown(y, at: time, offset: list.offset)
            happened = .down
        case .move(let y):
            predictor.fingerMoved(y, at: time)
            happened = .moved
        case .up(let y):
            let host = options.target == .trace ? path.target(ofLift: number, in: trace) : nil
            happened = .up(predictor.fingerUp(y, at: time, in: list, hostTarget: host))
        case .cancel:
            predictor.fingerCancelled()
            happened = .cancelled
        case .wheel:
            predictor.fingerCancelled()
            happened = .wheel
        case .key:
            predictor.fingerCancelled()
            happened = .key
        }
        if case .up(let prediction?) = happened {
            log?.predictions.append(.init(time: elapsed, target: prediction.target))
        }
        let ended = elapsed
        let finger: Double? =
            switch event.input {
            case .down(let y), .move(let y), .up(let y), .cancel(let y): y
            case .wheel, .key: nil
            }
        reconcile(
            ScrollMoment(
                happened, now: loop.clock.now, start: start, viewport: list,
                finger: finger.map { FingerPlace(y: $0, time: moment(event.time)) }))
        log?.inputs.append(
            .init(
                time: event.time, start: origin.duration(to: start).nanoseconds, end: ended,
                input: event.input))
    }

    private func scheduleFrame(_ number: Int) {
        gate.expectFrame(at: number <= schedule.last ? schedule.due(number) : nil, from: elapsed)
        guard number <= schedule.last else { return }
        loop.schedule(at: moment(schedule.due(number))) { [unowned self] in showFrame(number) }
    }

    private func showFrame(_ number: Int) {
        let start = loop.clock.now
        let isFirst = ledger.lastOffset == nil
        viewport.scroll(to: path.offset(at: elapsed))
        let rows = viewport.visibleRows
        let new = rows.count { isFirst || !visible.contains($0) }
        bindCells(to: rows)
        visible = rows
        if options.engine == .inFrame { loadInFrame(rows) }
        let missing = rows.filter { !isSettled($0) }
        let queued = queue.count
        ledger.beginFrame(
            number, offset: viewport.offset, missing: missing.count,
            there: rows.filter { loader?.state(of: $0).value != nil })
        onNote?(elapsed, .frame(number: number, visible: rows, missing: missing.count))
        loop.clock.spend(.microseconds(1500 + 200 * new))
        log?.frames.append(
            .init(
                number: number, due: schedule.due(number),
                start: origin.duration(to: start).nanoseconds, end: elapsed,
                deadline: schedule.due(number + 1), offset: viewport.offset, visible: rows,
                missing: missing, queued: queued))
        scheduleFrame(ledger.endFrame(number, at: elapsed))
        reconcile(ScrollMoment(.frame, now: loop.clock.now, start: start, viewport: viewport))
    }

    private func reconcile(_ moment: ScrollMoment) {
        guard options.engine != .inFrame, let loader else { return }
        var moment = moment
        moment.loads = loader.facts { $0 }
        guard let wanted = policy.wanted(after: moment) else { return }
        onNote?(elapsed, .wanted(wanted))
        loader.reconcile(with: wanted) { [unowned self] in policy.explanation(ofRow: $0) }
    }

    private func bindCells(to rows: Range<Int>) {
        for row in screen.rows where !rows.contains(row) {
            loader?.unbind(cell: screen.release(row))
        }
        for row in rows where screen.cell(of: row) == nil {
            loader?.bind(cell: screen.take(row), to: row)
        }
    }

    // MARK: - Loading

    fileprivate func isSettled(_ row: Int) -> Bool {
        loader?.state(of: row).isSettled ?? false
    }

    /// Loads what is missing on screen before the frame goes on.
    private func loadInFrame(_ rows: Range<Int>) {
        let missing = rows.filter { !isSettled($0) }
        let rounds = (missing.count + options.fetches - 1) / options.fetches
        loop.clock.spend(options.latency * rounds)
        for row in missing {
            loader?.settle(row, Result { try load(row, charging: true) })
        }
    }

    /// Loads a row in one go.
    private func load(_ row: Int, charging: Bool) throws -> any Sendable {
        let load = TrackedLoad(row: row, replay: self, isCounted: charging)
        return try load.finish()
    }

    fileprivate func fetch(_ row: Int) -> Fetch? {
        guard options.latency > .zero else { return nil }
        let isReal = options.clock == .real
        let latency = options.latency
        return Fetch(cost: latency) {
            if isReal { Thread.sleep(forTimeInterval: Double(latency.nanoseconds) / 1e9) }
            return true
        }
    }

    /// A row's load that counts what it costs and what comes of it.
    fileprivate final class TrackedLoad: Load {
        private let row: Int
        private unowned let replay: Replay
        private let isCounted: Bool
        private var load: (any RowLoad)?

        init(row: Int, replay: Replay, isCounted: Bool = true) {
            self.row = row
            self.replay = replay
            self.isCounted = isCounted
        }

        func step(in slot: borrowing IdleSlot) throws -> LoadStep<any Sendable> {
            try step(until: slot.sliceEnd).map { .done($0) } ?? .more
        }

        /// Runs to the end; what isn't counted costs nothing on virtual time.
        func finish() throws -> any Sendable {
            while true {
                if let value = try step(until: .distantFuture) { return value }
            }
        }

        private func step(until end: Instant) throws -> (any Sendable)? {
            let replay = self.replay
            let clock =
                isCounted || replay.options.clock == .real
                ? replay.loop.clock : .virtual(VirtualTime())
            let start = clock.now
            if load == nil, isCounted { replay.began(row) }
            if isCounted { replay.gate.noteStart(at: replay.elapsed) }
            let outcome = Result {
                let load = try self.load ?? replay.work.begin(row: row)
                self.load = load
                return try load.step(until: end, on: clock)
            }
            if isCounted {
                let cost = start.duration(to: clock.now)
                replay.count(row, cost, outcome)
                let end = replay.elapsed
                var isLast = true
                if case .success(.none) = outcome { isLast = false }
                replay.log?.slices.append(
                    .init(row: row, start: end - cost.nanoseconds, end: end, isLast: isLast))
            }
            return try outcome.get()
        }
    }

    /// Has the queue rest if the engine lets nothing begin now.
    private func askGate() {
        guard !queue.isEmpty else { return }
        let answer = gate.answer(at: elapsed, left: queue.next.flatMap { costLeft(ofRow: $0) })
        loop.mode = answer == .open ? .default : .tracking
        guard case .shut(let until?) = answer, !isAlarmSet else { return }
        isAlarmSet = true
        loop.schedule(at: moment(until)) { [unowned self] in isAlarmSet = false }
    }

    private func costLeft(ofRow row: Int) -> Duration? {
        guard case .begun(let spent)? = loader?.progress(of: row) else {
            return work.costHint(ofRow: row)
        }
        return work.costHint(ofRow: row).map { $0 - spent }
    }

    private func began(_ row: Int) {
        ledger.beginLoad()
        onNote?(elapsed, .began(row: row))
    }

    private func count(
        _ row: Int, _ cost: Duration, _ outcome: Result<(any Sendable)?, any Error>
    ) {
        ledger.spend(cost.nanoseconds, on: row)
        switch outcome {
        case .success(.some):
            gate.noteFinish(cost: .nanoseconds(ledger.cost(ofRow: row)))
            ledger.finishLoad(of: row)
            onNote?(elapsed, .finished(row: row))
        case .success(.none):
            break
        case .failure(let error):
            ledger.failLoad(of: row, error)
            onNote?(elapsed, .failed(row: row))
        }
    }

    /// Where the loader gets its rows from.
    private struct Source: LoadSource {
        unowned let replay: Replay

        func cost(of row: Int) -> Duration? {
            replay.options.hasHints ? replay.work.costHint(ofRow: row) : nil
        }

        func fetch(_ row: Int) -> Fetch? { replay.fetch(row) }

        func precedence(of row: Int) -> Int { row }

        func load(_ row: Int, fetched: (any Sendable)?) -> any Load<any Sendable> {
            TrackedLoad(row: row, replay: replay)
        }
    }

    // MARK: - Time

    /// Nanoseconds since the trace began.
    private var elapsed: Int64 { origin.duration(to: loop.clock.now).nanoseconds }

    private func moment(_ time: Int64) -> Instant { origin.advanced(by: .nanoseconds(time)) }

    // MARK: - The end

    private func closeLedger() {
        ledger.close()
        ledger.noteQueue(queue.statistics)
        log?.end = schedule.end
        log?.figures = ledger.figures
    }

    /// Leaves the loop alone for a while and counts how often it wakes.
    private func watchSleep() throws -> Int {
        let before = loop.statistics.turns
        let inbox = loop.inbox
        let quiet = options.quiet
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: Double(quiet.nanoseconds) / 1e9)
            inbox.post { $0.stop() }
        }
        try loop.run()
        return loop.statistics.turns - before - 1
    }
}
