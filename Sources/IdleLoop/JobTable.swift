/// The jobs of a queue, by the hashes of their keys, by the order in which they run, and by that in
/// which they're dropped.
///
/// Every change is O(log n), amortized. It calls nobody: an idle queue tells a job's owner of its end after
/// the job has left the table. The job that runs keeps its place in here, so that one with many
/// slices needn't be taken out and put back for each, but is not counted among those that wait.
struct JobTable {
    typealias ID = SlotTable<Job>.ID

    private var jobs = SlotTable<Job>()
    private(set) var index = HashIndex()
    private var ready = IndexedHeap<WorkOrder>()
    /// Made when the table is first too full, forgotten when it's empty: most queues never fill.
    private var sacrifices: IndexedHeap<SacrificeOrder>?
    private var expiries = IndexedHeap<Due>()
    private let dropsLeastUrgent: Bool
    /// The job that has begun and goes on before others.
    private(set) var begun: Int?
    /// The job that is inside its own call.
    private(set) var running: Int?
    /// What all that wait were said to cost.
    private(set) var cost = Duration.zero

    /// A table in which the least urgent is dropped first, or else the oldest.
    init(dropsLeastUrgent: Bool = true) {
        self.dropsLeastUrgent = dropsLeastUrgent
    }

    /// How many wait.
    var count: Int { running == nil ? jobs.count : jobs.count - 1 }

    /// The job that runs next: the one that has begun, else the most urgent that is ready.
    var next: Int? { begun ?? ready.first?.slot }

    /// The job that is dropped next; never the one that runs.
    ///
    /// O(n) the first time, then O(1).
    var victim: Int? {
        mutating get {
            if sacrifices == nil {
                var all = IndexedHeap<SacrificeOrder>()
                for slot in jobs.occupied { all.insert(sacrifice(slot), slot: slot) }
                sacrifices = all
            }
            if let running { unplace(running) }
            return sacrifices?.first?.slot
        }
    }

    private func sacrifice(_ slot: Int) -> SacrificeOrder {
        let job = jobs[slot]
        return SacrificeOrder(
            urgency: dropsLeastUrgent ? job.urgency : .visible, sequence: job.sequence)
    }

    /// The earliest moment at which a job runs regardless, and that job.
    var nextExpiry: (moment: Instant, slot: Int)? {
        expiries.first.map { ($0.order.deadline, $0.slot) }
    }

    /// The slots of all that wait, in no order.
    ///
    /// O(n).
    var waiting: [Int] { jobs.occupied.filter { $0 != running } }

    /// Slots in the order in which their jobs came.
    ///
    /// O(n log n).
    func oldestFirst(_ slots: [Int]) -> [Int] {
        slots.sorted { jobs[$0].sequence < jobs[$1].sequence }
    }

    subscript(slot: Int) -> Job {
        _read { yield jobs[slot] }
        _modify { yield &jobs[slot] }
    }

    func id(at slot: Int) -> ID { jobs.id(at: slot) }

    func contains(_ id: ID) -> Bool { jobs.contains(id) }

    /// Of the first few that are ready, in about their order, the one that suits best: the most
    /// urgent, and of those the one that takes most.
    ///
    /// O(1): it looks at 64.
    func fitting(besides held: Int, _ cost: (Int) -> Duration?) -> Int? {
        var best: (slot: Int, urgency: Urgency, cost: Duration)?
        for slot in ready.slots(upTo: 64) {
            guard slot != held, let cost = cost(slot) else { continue }
            let urgency = jobs[slot].urgency
            if let best, (best.urgency, best.cost) >= (urgency, cost) { continue }
            best = (slot, urgency, cost)
        }
        return best?.slot
    }

    // MARK: - Coming and going

    /// Puts in a job whose key isn't there.
    mutating func insert(_ job: Job) -> Int {
        let slot = jobs.insert(job).index
        index.insert(slot, hash: job.hash)
        cost += job.hint ?? .zero
        place(slot)
        return slot
    }

    mutating func remove(_ slot: Int) -> Job {
        unplace(slot)
        if running == slot {
            running = nil
        } else {
            cost -= jobs[slot].hint ?? .zero
        }
        if begun == slot { begun = nil }
        let job = jobs.remove(at: slot)
        index.remove(slot, hash: job.hash)
        if jobs.count == 0 { sacrifices = nil }
        return job
    }

    /// Changes a job's place, and whatever else `change` changes.
    mutating func update(_ slot: Int, _ change: (inout Job) -> Void) {
        guard slot != running else {
            change(&jobs[slot])
            return unplace(slot)  // it finds its new place when it has run
        }
        cost -= jobs[slot].hint ?? .zero
        change(&jobs[slot])
        cost += jobs[slot].hint ?? .zero
        place(slot)
    }

    /// Lets a job go on before all others.
    mutating func keepGoing(_ slot: Int) {
        begun = slot
    }

    private mutating func place(_ slot: Int) {
        if sacrifices != nil {
            let order = sacrifice(slot)
            sacrifices?.insert(order, slot: slot)
        }
        guard jobs[slot].hasArrived else { return }
        let order = jobs[slot].order
        ready.insert(order, slot: slot)
        if let expiry = jobs[slot].expiry {
            expiries.insert(.init(deadline: expiry, sequence: order.sequence), slot: slot)
        }
    }

    private mutating func unplace(_ slot: Int) {
        ready.remove(slot: slot)
        sacrifices?.remove(slot: slot)
        expiries.remove(slot: slot)
    }

    // MARK: - Running

    /// Takes out a job's body to run it.
    ///
    /// What was to happen at its expiry is happening now.
    mutating func start(_ slot: Int) -> Job.Body {
        running = slot
        if let hint = jobs[slot].hint { cost -= hint }
        if jobs[slot].expiry != nil {
            jobs[slot].expiry = nil
            expiries.remove(slot: slot)
        }
        guard let body = jobs[slot].body.take() else {
            preconditionFailure("a job that is ready has a body")
        }
        return body
    }

    /// Puts the body of the job that ran back, for another run before all others.
    mutating func resume(_ slot: Int, _ body: @escaping Job.Body) {
        running = nil
        if let hint = jobs[slot].hint { cost += hint }
        jobs[slot].body = body
        begun = slot
        if !ready.contains(slot: slot) { place(slot) }
    }

    /// Checks that the lists agree with each other: O(n).
    func checkInvariants() {
        jobs.checkInvariants()
        index.checkInvariants()
        precondition(index.count == jobs.count, "every job can be found")
        ready.checkInvariants()
        sacrifices?.checkInvariants()
        expiries.checkInvariants()
        var sum = Duration.zero
        for slot in waiting {
            let job = jobs[slot]
            sum += job.hint ?? .zero
            precondition(
                sacrifices?.contains(slot: slot) ?? true, "every job can be dropped")
            precondition(
                ready.contains(slot: slot) == job.hasArrived,
                "a job waits for a lull, or for a worker")
            precondition(job.hasArrived == (job.body != nil), "what is ready has a body")
        }
        precondition(sum == cost, "the sum of the costs is kept")
        precondition(begun.map(jobs.occupied.contains) ?? true, "what has begun is here")
    }
}
