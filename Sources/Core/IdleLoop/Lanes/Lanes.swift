internal import CLullLibevent
internal import LullLibC
internal import Synchronization

/// The lanes of a loop: what its queues offer to them, and what comes back.
///
/// ```text
/// queue ── leave ──▶ tray ── take ──▶ lane, in slices
///   ▲ └── readmit ◀──┘                 │
///   └───── take back ◀── returned ◀────┘
/// ```
///
/// The most urgent jobs are on the tray, two for each lane, until a lane takes them; a more urgent one
/// takes the place of the least urgent. A lane that makes no progress, since other programs have the
/// processors, counts as not there: then the loop's lulls are for the most urgent jobs that may run
/// anywhere, too. Nothing here calls back but `takeReturned`.
final class Lanes: LoopLanes {
    /// The time between two looks at the progress of lanes.
    private static var pause: Duration { .milliseconds(10) }
    /// The processor time of a lane between two looks that counts as progress, in nanoseconds: a quarter.
    private static var progress: Int64 { 2_500_000 }

    /// A thread, and what it had used at the last look, if it had a run then.
    private struct Thread {
        let lane: LaneThreads.Lane
        var used: Int64?
        var isStarved = false
    }

    private let loop: LoopContext
    /// The number of workers, each of which runs what may take long; nil if these are lanes for lulls.
    private let workers: Int?
    private(set) var threads: LaneThreads?
    private let simulated: SimulatedLanes?
    private var tray: LaneTray
    private var returned: ReturnedRuns
    private var running: [Thread] = []
    /// The greatest number of lanes that a queue allows, and the number for which there are processors.
    private var limit = 0
    private var count = 0
    private var counted: Instant?

    private var queues: [any LaneClient] = []
    /// The order of several queues, each by the time its jobs have had on lanes.
    private var turns = FairOrder()
    /// The runs that were put on the tray, by slot, until it's seen that a lane has taken them.
    private var offered = [LaneRun?](repeating: nil, count: LaneTray.size)
    /// All runs that have left and aren't back.
    private var out: [ObjectIdentifier: LaneRun] = [:]
    /// The number of lanes that make no progress.
    private var starved = 0
    /// The number of times that a lane's thread was raised.
    private(set) var raised = 0
    /// Whether runs waited for a lane without work at the last look.
    private var hasWaited = false
    private var timer: TimerTable.ID?
    private var isClosed = false

    /// Creates lanes for the lulls of processors, or so many workers.
    init(on loop: LoopContext, workers: Int? = nil) throws(LoopError) {
        self.loop = loop
        self.workers = workers
        switch loop.clock {
        case .monotonic:
            let threads = try LaneThreads(areWorkers: workers != nil, wake: loop.wake)
            (self.threads, simulated) = (threads, nil)
            (tray, returned) = (threads.tray, threads.returned)
        case .virtual(let time):
            let lanes = SimulatedLanes(on: loop, time)
            (threads, simulated) = (nil, lanes)
            (tray, returned) = (lanes.tray, lanes.returned)
        }
        loop.lanes.append(self)
    }

    var areWorkers: Bool { workers != nil }
    private(set) var timeWorked = Duration.zero
    /// The number of lanes that make progress.
    var inUse: Int { max(0, count - starved) }

    var needsLook: Bool { !returned.isEmpty || tray.asks }

    /// Whether the loop's lulls are for jobs that may run anywhere, too.
    var needsLoop: Bool { starved > 0 || count == 0 }

    // MARK: - Queues

    /// Serves a queue, with a number of lanes at most.
    func add(_ queue: any LaneClient, limit: Int) {
        queues.append(queue)
        self.limit = areWorkers ? limit : min(max(self.limit, limit), LaneTray.size)
        countProcessors()
        queue.takesAnywhere = needsLoop
    }

    /// Serves a queue no more, all of whose jobs have ended.
    func remove(_ queue: any LaneClient) {
        queues.removeAll { $0 === queue }
    }

    /// Takes a queue's runs off the tray, and has lanes return the others.
    func withdrawAll(of queue: any LaneClient) {
        for run in out.values where unsafe run.client === queue {
            if withdraw(run) { queue.readmit(run) } else { run.stop() }
        }
    }

    /// Takes a run off the tray; returns false if a lane has it.
    func withdraw(_ run: LaneRun) -> Bool {
        guard let slot = offered.firstIndex(where: { $0 === run }) else { return false }
        return takeOffered(at: slot) != nil
    }

    /// Ends a run whose job has ended.
    func cancel(_ run: LaneRun) {
        guard out[ObjectIdentifier(run)] != nil, !withdraw(run) else { return }
        run.stop()
        // Work of a pool's may take long, and nobody waits for the rest of it.
        guard areWorkers else { return }
        simulated?.take(run)
        isBack(run)
    }

    // MARK: - Offers

    /// Offers the most urgent jobs to lanes.
    func fill() {
        guard !isClosed, hasNext else { return tray.hasMore.store(false, ordering: .relaxed) }
        countProcessors()
        let room = room
        forgetTaken()
        var waiting = waiting
        var added = 0
        while let queue = nextQueue, let order = queue.nextForLanes {
            if waiting < room, let slot = offered.firstIndex(where: { $0 == nil }) {
                waiting += 1
                guard let run = queue.leave() else { continue }
                put(run, from: queue, at: slot)
                added += 1
            } else {
                guard let slot = lessUrgent(than: order, of: queue) else { break }
                waiting -= 1
                if let run = takeOffered(at: slot) { queue.readmit(run) }
            }
        }
        tray.hasMore.store(hasNext, ordering: .relaxed)
        if added > 0 { wakeLanes(added) }
    }

    /// Whether lanes have room for one more run.
    var hasRoom: Bool {
        forgetTaken()
        return waiting < room
    }

    /// The number of runs that may be on the tray.
    private var room: Int {
        // Nothing else does a pool's work, so what waits is for its threads.
        areWorkers
            ? LaneTray.size : min(LaneTray.size, needsLoop ? count - starved : 2 * count)
    }

    /// The number of runs that are on the tray, or for which there is a place.
    private var waiting: Int { offered.count { $0 != nil } + queues.count { $0.isCalling } }

    /// Lets go of the runs that lanes have taken.
    private func forgetTaken() {
        for slot in offered.indices where offered[slot] != nil && !tray.holdsRun(at: slot) {
            offered[slot] = nil
        }
    }

    private var hasNext: Bool { queues.contains { $0.nextForLanes != nil } }

    /// The queue whose turn it is, of those with a job that may run anywhere.
    private var nextQueue: (any LaneClient)? {
        guard queues.count > 1 else { return queues.first }
        return queues.filter { $0.nextForLanes != nil }.min {
            turns.start(of: $0.laneAccount) < turns.start(of: $1.laneAccount)
        }
    }

    private func put(_ run: LaneRun, from queue: any LaneClient, at slot: Int) {
        turns.begin(queue.laneAccount)
        offered[slot] = run
        out[ObjectIdentifier(run)] = run
        loop.countOutstanding(1)
        tray.put(run, at: slot)
    }

    /// The slot of the least urgent run of a queue that is less urgent than another job of it.
    private func lessUrgent(than order: HeapOrder, of queue: any LaneClient) -> Int? {
        var last: (slot: Int, order: UInt64)?
        for slot in offered.indices {
            guard let run = offered[slot], unsafe run.client === queue, run.order > order.major
            else { continue }
            if run.order > last?.order ?? 0 { last = (slot, run.order) }
        }
        return last?.slot
    }

    private func takeOffered(at slot: Int) -> LaneRun? {
        offered[slot] = nil
        let run = tray.take(at: slot)
        if let run { isBack(run) }
        return run
    }

    private func isBack(_ run: LaneRun) {
        guard out.removeValue(forKey: ObjectIdentifier(run)) != nil else { return }
        loop.countOutstanding(-1)
    }

    /// Wakes lanes for runs that were added, and starts threads if fewer sleep than runs wait.
    private func wakeLanes(_ added: Int) {
        simulated?.signal(lanes: count)
        guard let threads else { return }
        let sleeping = threads.sleepingCount
        for _ in 0..<min(added, sleeping) { threads.signal() }
        running.removeAll { $0.lane.hasEnded.load(ordering: .sequentiallyConsistent) }
        let waiting = offered.count { $0 != nil }
        let most = min(count, running.count + max(0, waiting - sleeping))
        while running.count < most, let lane = threads.start() {
            running.append(Thread(lane: lane))
        }
        if running.isEmpty { return setStarved(count) }  // there can be no thread now
        checkLater()
    }

    /// Reads how many processors the process may use, every ten seconds at most.
    private func countProcessors() {
        if areWorkers { starved = 0 }
        guard simulated == nil, !areWorkers else { return count = limit }
        let now = loop.clock.now
        if let counted, now - counted < .seconds(10) { return }
        counted = now
        let processors = Processors.usable
        count = processors > 1 ? min(limit, processors) : 0
        setStarved(out.isEmpty ? 0 : starved)
    }

    // MARK: - Returns

    func takeReturned() {
        guard needsLook else { return }
        let isAsked = tray.takeAsking()
        forgetTaken()
        for run in returned.takeAll() { take(run) }
        if out.isEmpty { setStarved(0) }
        fill()
        if isAsked, !isClosed, offered.contains(where: { $0 != nil }) { wakeLanes(0) }
        loop.whenLanesReturn?()
    }

    private func take(_ run: LaneRun) {
        isBack(run)
        guard let queue = unsafe run.client else { return }
        unsafe timeWorked += .nanoseconds(run.outcome.total)
        let start = turns.start(of: queue.laneAccount)
        unsafe queue.laneAccount.charge(nanoseconds: run.outcome.total, from: start)
        queue.takeBack(run)
    }

    // MARK: - Starvation

    private func checkLater() {
        guard timer == nil, !out.isEmpty, !areWorkers else { return }
        timer = loop.schedule(at: loop.clock.now.advanced(by: Self.pause)) { [weak self] in
            self?.check()
        }
    }

    /// Looks at the progress of lanes.
    private func check() {
        timer = nil
        loop.state.housekeeping += 1
        var (starved, busy) = (0, 0)
        for place in running.indices {
            let lane = running[place].lane
            let order = lane.order.load(ordering: .relaxed)
            guard order < .max else {
                running[place].used = nil
                continue
            }
            busy += 1
            let used = lull_thread_time(lane.thread.load(ordering: .relaxed))
            let isStarved = running[place].used.map { used - $0 < Self.progress } ?? false
            running[place].used = used
            guard isStarved else { continue }
            starved += 1
            if order <= tray.mostUrgent { raise(lane) }
        }
        // Some were woken, and haven't begun.
        let waits = tray.mostUrgent < .max && busy < running.count
        if waits, hasWaited { starved += running.count - busy }
        hasWaited = waits
        setStarved(out.isEmpty ? 0 : starved)
        takeReturned()  // a lane may have been stopped before it has woken the loop
        fill()
        checkLater()
    }

    /// Raises a lane that makes no progress with the most urgent job, if the process may.
    private func raise(_ lane: LaneThreads.Lane) {
        raised += 1
        lane.isRaised.store(true, ordering: .relaxed)
        _ = lull_raise_thread(lane.thread.load(ordering: .relaxed))
    }

    private func setStarved(_ number: Int) {
        let (before, neededLoop) = (starved, needsLoop)
        starved = number
        for queue in queues { queue.takesAnywhere = needsLoop }
        guard needsLoop, starved > before || !neededLoop else { return }
        // The loop takes the most urgent, which are on the tray; `fill` offers what still fits.
        clearTray()
        loop.wantIdle()
    }

    private func clearTray() {
        for slot in offered.indices where offered[slot] != nil {
            if let run = takeOffered(at: slot) { unsafe run.client?.readmit(run) }
        }
    }

    // MARK: - Its life

    func reinitAfterFork() throws(LoopError) {
        guard threads != nil, !isClosed else { return }
        let threads = try LaneThreads(areWorkers: areWorkers, wake: loop.wake)
        clearTray()
        let back = returned.takeAll()
        // The change is whole before any end is told.
        (self.threads, tray, returned) = (threads, threads.tray, threads.returned)
        (running, starved, hasWaited) = ([], 0, false)
        for run in back { take(run) }
        for run in Array(out.values) where out[ObjectIdentifier(run)] != nil {
            isBack(run)
            unsafe run.client?.lose(run)
        }
        setStarved(0)
        fill()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        loop.lanes.removeAll { $0 === self }
        threads?.dismiss(running.count)
        loop.countOutstanding(-out.count)
        // A lane lets go of its own at the end of the slice, and nobody else needs any.
        for slot in offered.indices { _ = tray.take(at: slot) }
        let released: [Any?] = [queues, offered, out, returned.takeAll(), simulated?.takeAll()]
        (queues, offered, out) = ([], [], [:])
        withExtendedLifetime(released) {}
    }
}
