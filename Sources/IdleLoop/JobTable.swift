/// The jobs of a queue, by the hashes of their keys, by the order in which they run, and by that in
/// which they're dropped.
///
/// Every change is O(log n), amortized. It calls nobody: an idle queue tells a job's owner of its
/// end after the job has left the table. The job that runs keeps its place in here, so that one with
/// many slices needn't be taken out and put back for each, but is not counted among those that wait.
struct JobTable: ~Copyable {
    typealias ID = SlotTable<Job>.ID

    private var jobs = SlotTable<Job>()
    /// By slot.
    private var parts = Buffer<JobParts>()
    private(set) var index = HashIndex()
    private var ready = IndexedHeap()
    /// Filled when the table is first too full, forgotten when it's empty: most queues never fill.
    private var sacrifices = IndexedHeap()
    private var knowsSacrifices = false
    private var expiries = IndexedHeap()
    private let dropsLeastUrgent: Bool
    /// The job that has begun and goes on before others.
    private(set) var begun: Int?
    /// The job that is inside its own call.
    private(set) var running: Int?
    /// What all that wait were said to cost, in nanoseconds.
    private(set) var cost: Int64 = 0

    /// A table in which the least urgent is dropped first, or else the oldest.
    init(dropsLeastUrgent: Bool = true) {
        self.dropsLeastUrgent = dropsLeastUrgent
    }

    /// How many wait.
    var count: Int { running == nil ? jobs.count : jobs.count &- 1 }

    /// The job that runs next: the one that has begun, else the most urgent that is ready.
    var next: Int? { begun ?? ready.first?.slot }

    /// The most urgent that is ready, whether or not another has begun.
    var mostUrgent: Int? { ready.first?.slot }

    /// How many there are, with the one that runs, and what they were said to cost.
    var held: (count: Int, cost: Int64) {
        (jobs.count, cost &+ (running.flatMap { jobs[$0].hint } ?? 0))
    }

    /// The job that is dropped next; never the one that runs.
    ///
    /// O(n) the first time, then O(1).
    var victim: Int? {
        mutating get {
            if !knowsSacrifices {
                knowsSacrifices = true
                for slot in jobs.occupied { sacrifices.insert(sacrifice(slot), slot: slot) }
            }
            if let running { unplace(running) }
            return sacrifices.first?.slot
        }
    }

    /// Whether there is room before one of this priority, or a more urgent one, must be dropped.
    ///
    /// O(1) where one makes room, else O(n).
    mutating func canMakeRoom(
        from priority: Priority, until isEnough: (_ count: Int, _ cost: Int64) -> Bool
    ) -> Bool {
        guard victim != nil else { return true }
        var left = sacrifices.copy()
        var (count, cost) = (count, cost)
        while let (_, slot) = left.first {
            guard jobs[slot].priority < priority else { return false }
            count -= 1
            cost -= jobs[slot].hint ?? 0
            if isEnough(count, cost) { return true }
            left.remove(slot: slot)
        }
        return true
    }

    private func sacrifice(_ slot: Int) -> HeapOrder {
        jobs[slot].order.toDrop(byPriority: dropsLeastUrgent)
    }

    /// The earliest moment at which a job runs regardless, and that job.
    var nextExpiry: (moment: Instant, slot: Int)? {
        expiries.first.map { ($0.order.deadline, $0.slot) }
    }

    /// The slots of all that wait, in no order.
    ///
    /// O(n).
    var waiting: [Int] { jobs.occupied.filter { $0 != running } }

    /// Names in the order in which their jobs came.
    ///
    /// O(n log n).
    func oldestFirst(_ ids: [ID]) -> [ID] {
        ids.sorted { jobs[$0.index].order.sequence < jobs[$1.index].order.sequence }
    }

    subscript(slot: Int) -> Job {
        // Not a coroutine: its frame would be an allocation in each pass.
        @inline(__always) get { jobs[slot] }
        @inline(__always) _modify { yield &jobs[slot] }
    }

    /// The job in a slot, nil if there is none.
    func job(at slot: Int) -> Job? { jobs.value(at: slot) }

    func errand(of slot: Int) -> Errand? { parts[slot].errand }

    func id(at slot: Int) -> ID { jobs.id(at: slot) }

    func contains(_ id: ID) -> Bool { jobs.contains(id) }

    /// Of the first few that are ready, in about their order, the one that suits best: the most
    /// urgent, and of those the one that takes most.
    ///
    /// O(1): it looks at 64.
    func fitting(besides held: Int, _ cost: (Job) -> Int64?) -> Int? {
        var best: (slot: Int, priority: Priority, cost: Int64)?
        for place in 0..<min(64, ready.count) {
            let slot = ready.slot(at: place)
            guard slot != held, let cost = cost(jobs[slot]) else { continue }
            let priority = jobs[slot].priority
            if let best, (best.priority, best.cost) >= (priority, cost) { continue }
            best = (slot, priority, cost)
        }
        return best?.slot
    }

    // MARK: - Coming and going

    /// Puts in a job whose key isn't there.
    mutating func insert(_ loose: consuming LooseJob) -> Int {
        let hash = loose.job.hash
        if let hint = loose.job.hint { cost &+= hint }
        let slot = jobs.insert(loose.job).index
        if slot == parts.count {
            parts.append(loose.parts)
        } else {
            parts[slot] = loose.parts
        }
        index.insert(slot, hash: hash)
        place(slot)
        return slot
    }

    mutating func remove(_ slot: Int) -> JobParts {
        unplace(slot)
        if running == slot {
            running = nil
        } else if let hint = jobs[slot].hint {
            cost &-= hint
        }
        if begun == slot { begun = nil }
        index.remove(slot, hash: jobs[slot].hash)
        jobs.remove(at: slot)
        if jobs.count == 0 { knowsSacrifices = false }
        var old = JobParts()
        swap(&old, &parts[slot])
        return old
    }

    /// Has another job of the same key take a job's place, under a name of its own; gives what the old
    /// one was.
    mutating func replace(_ slot: Int, with loose: consuming LooseJob) -> JobParts {
        unplace(slot)
        var parts = loose.parts
        swap(&parts, &self.parts[slot])
        if let hint = loose.job.hint { cost &+= hint }
        let old = jobs.replace(at: slot, with: loose.job)
        if running == slot {
            running = nil
        } else if let hint = old.hint {
            cost &-= hint
        }
        if begun == slot { begun = nil }
        place(slot)
        return parts
    }

    /// Changes a job's place, and whatever else `change` changes of it.
    mutating func update(_ slot: Int, _ change: (inout Job) -> Void) {
        let old = jobs[slot].hint ?? 0
        change(&jobs[slot])
        if slot == running {
            unplace(slot)  // it finds its new place when it has run
        } else {
            cost &+= (jobs[slot].hint ?? 0) &- old
            place(slot)
        }
    }

    /// Has another request join a job.
    mutating func join(_ slot: Int, _ other: consuming LooseJob) {
        let job = other.job
        parts[slot].join(other.parts)
        update(slot) { $0.join(job) }
    }

    /// Has somebody else be told of a job's end, after all others.
    mutating func tell(of slot: Int, _ body: @escaping (JobEnd) -> Void) {
        parts[slot].othersToTell.append(body)
    }

    /// What a job's errand has brought: it now waits for a lull.
    mutating func arrive(_ slot: Int, _ body: @escaping Job.Body) {
        parts[slot].errand = nil
        parts[slot].body = body
        update(slot) { job in
            job.hint = nil  // the work is done, and what it cost no longer waits
            job.awaited = .lull
        }
    }

    private mutating func place(_ slot: Int) {
        if knowsSacrifices {
            let order = sacrifice(slot)
            sacrifices.insert(order, slot: slot)
        }
        let job = jobs[slot]
        guard job.hasArrived else { return }
        ready.insert(job.order.toRun, slot: slot)
        guard job.expiry < .distantFuture else { return }
        let expiry = HeapOrder(due: job.expiry, sequence: job.order.sequence)
        expiries.insert(expiry, slot: slot)
    }

    private mutating func unplace(_ slot: Int) {
        ready.remove(slot: slot)
        if knowsSacrifices { sacrifices.remove(slot: slot) }
        if !expiries.isEmpty { expiries.remove(slot: slot) }
    }

    // MARK: - Running

    /// Counts a job as running, and gives its body.
    ///
    /// What was to happen at its expiry is happening now.
    @inline(__always)
    mutating func start(_ slot: Int) -> Job.Body {
        running = slot
        if let hint = jobs[slot].hint { cost &-= hint }
        if jobs[slot].expiry < .distantFuture {
            jobs[slot].expiry = .distantFuture
            expiries.remove(slot: slot)
        }
        guard let body = parts[slot].body else {
            preconditionFailure("a job that is ready has a body")
        }
        return body
    }

    /// Has the job that ran wait for another run, before all others.
    @inline(__always)
    mutating func resume(_ slot: Int) {
        running = nil
        if let hint = jobs[slot].hint { cost &+= hint }
        begun = slot
        if !ready.contains(slot: slot) { place(slot) }
    }

    /// Has the job that ran wait for something else than a lull.
    mutating func setAside(_ slot: Int) {
        running = nil
        if begun == slot { begun = nil }
        if let hint = jobs[slot].hint { cost &+= hint }
        unplace(slot)
        jobs[slot].awaited = .task
        place(slot)
    }

    /// Has a job that was set aside wait for a lull.
    mutating func comeBack(_ slot: Int) {
        update(slot) { $0.awaited = .lull }
    }

    /// Checks that the lists agree with each other.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        jobs.checkInvariants()
        index.checkInvariants()
        precondition(index.count == jobs.count, "every job can be found")
        ready.checkInvariants()
        sacrifices.checkInvariants()
        expiries.checkInvariants()
        for slot in waiting {
            let job = jobs[slot]
            precondition(
                !knowsSacrifices || sacrifices.contains(slot: slot), "every job can be dropped")
            precondition(
                ready.contains(slot: slot) == job.hasArrived,
                "a job waits for a lull, or for a worker")
            precondition(
                !job.hasArrived || parts[slot].body != nil, "what is ready has a body")
            precondition(
                expiries.contains(slot: slot) == (job.hasArrived && job.expiry < .distantFuture),
                "who has a timeout is on that list")
        }
        precondition(
            waiting.reduce(0) { $0 + (jobs[$1].hint ?? 0) } == cost, "the sum of the costs is kept")
        precondition(begun.map(jobs.occupied.contains) ?? true, "what has begun is here")
    }
}
