/// The jobs of a queue, by key, by the order in which they run, and by that in which they're dropped.
///
/// Every change is O(log n). It calls nobody: an idle queue tells a job's owner of its end after
/// the job has left the table. The job that runs keeps its place in here, so that one with many
/// slices needn't be taken out and put back for each, but is not counted among those that wait.
struct JobTable<Key: Hashable> {
    typealias ID = SlotTable<Job<Key>>.ID

    private var jobs = SlotTable<Job<Key>>()
    private var slots: [Key: Int] = [:]
    private var ready = IndexedHeap<WorkOrder>()
    private var sacrifices = IndexedHeap<SacrificeOrder>()
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
    var victim: Int? { sacrifices.first?.slot }

    /// The earliest moment at which a job runs regardless, and that job.
    var nextExpiry: (moment: Instant, slot: Int)? {
        expiries.first.map { ($0.order.deadline, $0.slot) }
    }

    /// All that wait, the oldest first: O(n log n).
    var oldestFirst: [Int] {
        slots.values.filter { $0 != running }.sorted { jobs[$0].sequence < jobs[$1].sequence }
    }

    /// The keys of all that wait, in no order: O(n).
    var keys: [Key] {
        slots.compactMap { $0.value == running ? nil : $0.key }
    }

    subscript(slot: Int) -> Job<Key> {
        _read { yield jobs[slot] }
        _modify { yield &jobs[slot] }
    }

    func slot(of key: Key) -> Int? { slots[key] }

    func id(at slot: Int) -> ID { jobs.id(at: slot) }

    func contains(_ id: ID) -> Bool { jobs.contains(id) }

    /// Of the first few that are ready, in about their order, the one that suits best: the most
    /// urgent, and of those the one that takes most.
    ///
    /// O(1): it looks at 64.
    func fitting(besides held: Int, _ cost: (Int) -> Duration?) -> Int? {
        var best: (slot: Int, urgency: Urgency, cost: Duration)?
        for position in 0..<min(64, ready.count) {
            let slot = ready.entry(at: position).slot
            guard slot != held, let cost = cost(slot) else { continue }
            let urgency = jobs[slot].urgency
            if let best, (best.urgency, best.cost) >= (urgency, cost) { continue }
            best = (slot, urgency, cost)
        }
        return best?.slot
    }

    // MARK: - Coming and going

    /// Puts in a job whose key isn't there.
    mutating func insert(_ job: Job<Key>) -> Int {
        let slot = jobs.insert(job).index
        slots[job.key] = slot
        cost += job.hint ?? .zero
        place(slot)
        return slot
    }

    mutating func remove(_ slot: Int) -> Job<Key> {
        unplace(slot)
        if running == slot {
            running = nil
        } else {
            cost -= jobs[slot].hint ?? .zero
        }
        if begun == slot { begun = nil }
        let job = jobs.remove(at: slot)
        slots[job.key] = nil
        return job
    }

    /// Changes a job's place, and whatever else `change` changes.
    mutating func update(_ slot: Int, _ change: (inout Job<Key>) -> Void) {
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
        let order = jobs[slot].order
        sacrifices.insert(
            .init(urgency: dropsLeastUrgent ? order.urgency : .visible, sequence: order.sequence),
            slot: slot)
        guard jobs[slot].hasArrived else { return }
        ready.insert(order, slot: slot)
        if let expiry = jobs[slot].expiry {
            expiries.insert(.init(deadline: expiry, sequence: order.sequence), slot: slot)
        }
    }

    private mutating func unplace(_ slot: Int) {
        ready.remove(slot: slot)
        sacrifices.remove(slot: slot)
        expiries.remove(slot: slot)
    }

    // MARK: - Running

    /// Takes out a job's body to run it.
    ///
    /// What was to happen at its expiry is happening now.
    mutating func start(_ slot: Int) -> Job<Key>.Body {
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
    mutating func resume(_ slot: Int, _ body: @escaping Job<Key>.Body) {
        running = nil
        if let hint = jobs[slot].hint { cost += hint }
        jobs[slot].body = body
        begun = slot
        if !sacrifices.contains(slot: slot) { place(slot) }
    }

    /// Sees to it that the job that runs is neither dropped nor run meanwhile.
    mutating func hideRunning() {
        if let running { unplace(running) }
    }

    /// Checks that the lists agree with each other: O(n).
    func checkInvariants() {
        precondition(slots.count == jobs.count, "a key is in the queue once")
        ready.checkInvariants()
        sacrifices.checkInvariants()
        expiries.checkInvariants()
        var sum = Duration.zero
        for (key, slot) in slots {
            let job = jobs[slot]
            precondition(job.key == key, "a key knows its job")
            guard slot != running else { continue }
            sum += job.hint ?? .zero
            precondition(sacrifices.contains(slot: slot), "every job can be dropped")
            precondition(
                ready.order(ofSlot: slot) == (job.hasArrived ? job.order : nil),
                "a job waits for a lull by its order, or for a worker")
            precondition(job.hasArrived == (job.body != nil), "what is ready has a body")
        }
        precondition(sum == cost, "the sum of the costs is kept")
        precondition(begun.map(slots.values.contains) ?? true, "what has begun is here")
    }
}
