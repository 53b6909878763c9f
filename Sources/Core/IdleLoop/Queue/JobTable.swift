internal import LullLibC

/// The jobs of a queue, indexed by the hashes of their keys, in the orders in which they run and in
/// which they are dropped.
///
/// Every change is O(log n), amortized. It calls no callbacks: an idle queue calls back for a job's
/// end after the job has left the table. The running job keeps its place here, so that a job with
/// many slices needn't be removed and inserted for each, but it isn't counted as waiting.
struct JobTable: ~Copyable {
    typealias ID = SlotTable<Job>.ID

    private var jobs = SlotTable<Job>()
    /// The jobs' closures, by slot.
    private var parts = Buffer<JobParts>()
    private(set) var index = HashIndex()
    private var ready = IndexedHeap()
    /// The ready jobs that lanes may run.
    private var anywhere = IndexedHeap()
    /// Whether the loop runs those, too.
    var takesAnywhere = false
    /// The job that the loop is to begin, as lanes have room for it; -1 for none.
    private var called = -1
    /// The order of dropping, built when the table is first too full and discarded when it's empty:
    /// most queues never fill.
    private var dropOrder = IndexedHeap()
    private var keepsDropOrder = false
    private var expiries = IndexedHeap()
    /// The job that is running now.
    private(set) var running: Int?

    /// The number of waiting jobs.
    var count: Int { running == nil ? jobs.count : jobs.count &- 1 }

    /// The job that runs next: the most urgent that is ready, and of one priority the one that has
    /// begun.
    var next: Int? {
        // It's asked for in each pass, and a call would copy the table.
        @inline(__always) get {
            guard takesAnywhere, let other = anywhere.first else { return ready.first?.slot }
            guard let own = ready.first, own.order < other.order else { return other.slot }
            return own.slot
        }
    }

    /// The job that the next free lane runs.
    var nextForLanes: (order: HeapOrder, slot: Int)? {
        @inline(__always) get { anywhere.first }
    }

    /// The job that is dropped next; never the running one.
    ///
    /// O(n) the first time, then O(1).
    var nextToDrop: Int? {
        mutating get {
            keepDropOrder()
            return dropOrder.first?.slot
        }
    }

    /// Maintains the order of dropping from now on, without the running job.
    private mutating func keepDropOrder() {
        if !keepsDropOrder {
            keepsDropOrder = true
            for slot in jobs.occupied { dropOrder.insert(jobs[slot].order.toDrop, slot: slot) }
        }
        if let running { unplace(running) }
    }

    /// Returns whether one more job of a priority would cause only jobs of lower priority to be
    /// dropped: now, and again if the running job comes back, which may then be dropped too.
    ///
    /// O(log n).
    mutating func hasRoom(for priority: Priority, limit: Int) -> Bool {
        guard jobs.count >= limit else { return true }
        keepDropOrder()
        func isLess(_ slot: Int?) -> Bool {
            slot.map { jobs[$0].order.priority < priority } ?? false
        }
        let first = dropOrder.first?.slot
        guard let running else { return isLess(first) }
        guard count >= limit else { return isLess(first) || isLess(running) }
        guard let first, isLess(first) else { return false }
        dropOrder.remove(slot: first)
        defer { dropOrder.insert(jobs[first].order.toDrop, slot: first) }
        return isLess(dropOrder.first?.slot) || isLess(running)
    }

    /// The earliest time at which a job runs regardless of other work, and that job.
    var nextExpiry: (moment: Instant, slot: Int)? {
        expiries.first.map { ($0.order.deadline, $0.slot) }
    }

    /// The identifiers of all jobs, including the running one, in no order.
    ///
    /// O(n).
    var ids: [ID] { jobs.ids }

    subscript(slot: Int) -> Job {
        // Not a coroutine: its frame would be an allocation in each pass.
        @inline(__always) get { jobs[slot] }
        @inline(__always) _modify { yield &jobs[slot] }
    }

    /// Returns the job in a slot; nil if there is none.
    func job(at slot: Int) -> Job? { jobs.value(at: slot) }

    /// Returns a job's work off the loop; nil if it has none, or none that isn't done.
    func offLoopWork(of slot: Int) -> OffLoopWork? { parts[slot].offLoopWork }

    func id(at slot: Int) -> ID { jobs.id(at: slot) }

    func contains(_ id: ID) -> Bool { jobs.contains(id) }

    /// Returns the best of the first few ready jobs: the most urgent, of those the one that has
    /// begun, and then the one with the greatest cost.
    ///
    /// O(1): it examines 64 jobs, in approximate order.
    func fitting(_ cost: (Job) -> Int64?) -> Int? {
        var best: (slot: Int, value: (Priority, Int, Int64))?
        for place in 0..<min(64, ready.count) {
            let slot = ready.slot(at: place)
            guard let cost = cost(jobs[slot]) else { continue }
            let value = (jobs[slot].order.priority, jobs[slot].hasBegun ? 1 : 0, cost)
            if let best, best.value >= value { continue }
            best = (slot, value)
        }
        return best?.slot
    }

    // MARK: - Insertion and removal

    /// Inserts a job whose key isn't in the table.
    mutating func insert(_ detached: consuming DetachedJob) -> Int {
        let hash = detached.job.hash
        let slot = jobs.insert(detached.job).index
        if slot == parts.count {
            parts.append(detached.parts)
        } else {
            parts[slot] = detached.parts
        }
        index.insert(slot, hash: hash)
        place(slot)
        return slot
    }

    mutating func remove(_ slot: Int) -> JobParts {
        unplace(slot)
        if running == slot { running = nil }
        if called == slot { called = -1 }
        index.remove(slot, hash: jobs[slot].hash)
        jobs.remove(at: slot)
        if jobs.count == 0 { keepsDropOrder = false }
        var old = JobParts()
        swap(&old, &parts[slot])
        return old
    }

    /// Replaces a job by another of the same key, with a new identifier; returns the old job's
    /// closures.
    mutating func replace(_ slot: Int, with detached: consuming DetachedJob) -> JobParts {
        unplace(slot)
        var parts = detached.parts
        swap(&parts, &self.parts[slot])
        _ = jobs.replace(at: slot, with: detached.job)
        if running == slot { running = nil }
        place(slot)
        return parts
    }

    /// Changes a job, and updates its position in the orders.
    mutating func update(_ slot: Int, _ change: (inout Job) -> Void) {
        change(&jobs[slot])
        if slot == running {
            unplace(slot)  // it gets its new place after the run
        } else {
            place(slot)
        }
    }

    /// Joins another request to a job.
    mutating func join(_ slot: Int, _ other: consuming DetachedJob) {
        let job = other.job
        parts[slot].join(other.parts)
        update(slot) { $0.join(job) }
    }

    /// Sets the body that a job's work off the loop has provided: for the rest of the job, or for a
    /// part while the work goes on; returns the one before, so that it's released after the change.
    mutating func provide(_ body: @escaping Job.Body, to slot: Int, isPart: Bool) -> Job.Body? {
        var body: Job.Body? = body
        swap(&body, &parts[slot].body)
        if !isPart { parts[slot].offLoopWork = nil }
        update(slot) { $0.awaited = isPart ? .part : .lull }
        return body
    }

    /// Adds a callback for a job's end, after all others.
    mutating func whenEnded(_ slot: Int, _ body: @escaping (JobEnd) -> Void) {
        parts[slot].othersToTell.append(body)
    }

    private mutating func place(_ slot: Int) {
        if keepsDropOrder { dropOrder.insert(jobs[slot].order.toDrop, slot: slot) }
        let job = jobs[slot]
        guard job.isReady else { return }
        let order = job.order.toRun(hasBegun: job.hasBegun)
        if job.isAnywhere {
            anywhere.insert(order, slot: slot)
        } else {
            ready.insert(order, slot: slot)
        }
        if job.expiry < .distantFuture {
            let expiry = HeapOrder(due: job.expiry, sequence: job.order.sequence)
            expiries.insert(expiry, slot: slot)
        } else if !expiries.isEmpty {
            expiries.remove(slot: slot)  // at the end of time nothing has a timeout any more
        }
    }

    private mutating func unplace(_ slot: Int) {
        ready.remove(slot: slot)
        if !anywhere.isEmpty { anywhere.remove(slot: slot) }
        if keepsDropOrder { dropOrder.remove(slot: slot) }
        if !expiries.isEmpty { expiries.remove(slot: slot) }
    }

    // MARK: - Lanes

    /// Lets a job leave for a lane; returns its run.
    ///
    /// Its timeout counts on: who has the run may be slow.
    mutating func leave(_ slot: Int) -> LaneRun {
        guard let order = anywhere.order(of: slot), let run = parts[slot].laneRun else {
            preconditionFailure("a job that leaves is ready for lanes")
        }
        anywhere.remove(slot: slot)
        jobs[slot].awaited = .lane
        run.leave(at: order)
        return run
    }

    /// Returns the run of a job that has left; nil if it hasn't.
    func laneRun(of slot: Int) -> LaneRun? {
        jobs.value(at: slot)?.awaited == .lane ? parts[slot].laneRun : nil
    }

    /// Whether the next job for lanes waits only until they have room, and is then begun on the loop.
    var nextIsUnbegun: Bool { anywhere.first.map { parts[$0.slot].laneRun == nil } ?? false }

    /// Whether the loop is to begin a job.
    var isCalling: Bool { called >= 0 }

    /// Returns whether the loop is to begin this job, and does so now.
    @inline(__always)
    mutating func takeCall(of slot: Int) -> Bool {
        guard called == slot else { return false }
        called = -1
        return true
    }

    /// Lets the loop begin the next job for lanes.
    mutating func callNext() {
        guard let slot = anywhere.first?.slot else { return }
        unplace(slot)
        jobs[slot].isAnywhere = false
        called = slot
        place(slot)
    }

    /// Returns the part of a job that has ended on a lane, or is there; nil if there is none.
    func part(of slot: Int) -> LaneRun? {
        jobs[slot].isAnywhere && jobs[slot].awaited != .lane ? nil : parts[slot].laneRun
    }

    /// Returns whether a job has a part that may run anywhere.
    @inline(__always)
    func hasPart(_ slot: Int) -> Bool { parts[slot].laneRun != nil }

    /// Returns whether the loop goes on with a job when its part that may run anywhere has ended.
    func isPart(_ slot: Int) -> Bool {
        jobs[slot].isAnywhere && parts[slot].laneRun != nil && parts[slot].body != nil
    }

    /// Gives the job that ran its next part, which lanes run; a job without one waits until they have
    /// room.
    mutating func leaveNext(_ slot: Int, _ run: LaneRun?) {
        parts[slot].laneRun = run
        jobs[slot].isAnywhere = true
        ready.remove(slot: slot)
    }

    /// Leaves the next slice of the job that ran to the loop, unless all of it may run anywhere.
    mutating func stay(_ slot: Int, afterPart: Bool) {
        guard parts[slot].body != nil else { return }
        jobs[slot].isAnywhere = false
        if !afterPart { parts[slot].laneRun = nil }
    }

    /// Ignores a job's timeout until its run is back.
    mutating func stopExpiry(of slot: Int) { expiries.remove(slot: slot) }

    // MARK: - Running

    /// Marks a job as running, and returns its body.
    @inline(__always)
    mutating func start(_ slot: Int) -> Job.Body {
        running = slot
        if jobs[slot].expiry < .distantFuture { expiries.remove(slot: slot) }
        if jobs[slot].isAnywhere {
            anywhere.remove(slot: slot)  // no lane may take it
            if let run = parts[slot].laneRun { return unsafe run.body }
        }
        guard let body = parts[slot].body else {
            preconditionFailure("a job that is ready has a body")
        }
        return body
    }

    /// Lets the job that ran wait again from `now` on, before others of its priority.
    @inline(__always)
    mutating func putBack(_ slot: Int, at now: Instant) {
        running = nil
        jobs[slot].wait(from: now)
        let isInPlace =
            jobs[slot].hasBegun && jobs[slot].isReady && jobs[slot].expiry == .distantFuture
            && ready.contains(slot: slot)
        guard !isInPlace else { return }
        jobs[slot].hasBegun = true
        if !jobs[slot].isReady { unplace(slot) }
        place(slot)
    }

    /// Checks that the lists agree with each other.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        jobs.checkInvariants()
        index.checkInvariants()
        precondition(index.count == jobs.count, "every job can be found")
        ready.checkInvariants()
        anywhere.checkInvariants()
        dropOrder.checkInvariants()
        expiries.checkInvariants()
        for slot in jobs.occupied where slot != running {
            let job = jobs[slot]
            precondition(
                !keepsDropOrder || dropOrder.contains(slot: slot), "every job can be dropped")
            precondition(
                ready.contains(slot: slot) == (job.isReady && !job.isAnywhere)
                    && anywhere.contains(slot: slot) == (job.isReady && job.isAnywhere),
                "a job waits for a lull, or for a worker")
            precondition(
                !job.isReady || parts[slot].body != nil
                    || job.isAnywhere && parts[slot].laneRun != nil,
                "what is ready has a body")
            precondition(
                job.awaited == .lane
                    || expiries.contains(slot: slot)
                        == (job.isReady && job.expiry < .distantFuture),
                "who has a timeout is on that list")
        }
    }
}
