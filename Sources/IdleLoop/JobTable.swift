/// A job of an idle queue: what it does, where it stands, and who wants to hear of its end.
struct Job<Key: Hashable> {
    typealias Body = (borrowing IdleSlot) throws -> JobProgress

    /// The part of a job that runs off the loop.
    struct Errand {
        let pool: WorkerPool
        let cost: Duration
        let work: @Sendable () throws -> any Sendable
        let then: (any Sendable) -> Body?
        var ticket: WorkerPool.Ticket?
        /// What the work gave, if it was finished when the job was taken back.
        var output: (any Sendable)?
    }

    let key: Key
    var urgency: Urgency
    var rank: Int
    let sequence: UInt64
    /// Nil until the job's errand has brought it.
    var body: Body?
    var errand: Errand?
    var onEnd: ((JobEnd) -> Void)?

    var order: WorkOrder { .init(urgency: urgency, rank: rank, sequence: sequence) }

    /// Takes on a later request for the same key: its urgency and rank, and who is to be told.
    mutating func join(_ other: Job) {
        urgency = other.urgency
        rank = other.rank
        guard let second = other.onEnd else { return }
        guard let first = onEnd else {
            onEnd = second
            return
        }
        onEnd = { end in
            first(end)
            second(end)
        }
    }
}

/// The jobs that wait, by key, by the order in which they run, and by that in which they're dropped.
///
/// Every change is O(log n). It calls nobody: an idle queue tells a job's owner of its end after
/// the job has left the table.
struct JobTable<Key: Hashable> {
    typealias ID = SlotTable<Job<Key>>.ID

    private var jobs = SlotTable<Job<Key>>()
    private var slots: [Key: Int] = [:]
    private var ready = IndexedHeap<WorkOrder>()
    private var sacrifices = IndexedHeap<SacrificeOrder>()
    private var begun: Int?

    var count: Int { jobs.count }

    /// The job that runs next: the one that has begun, else the most urgent that is ready.
    var next: Int? { begun ?? ready.first?.slot }

    /// The job that is dropped next, and its urgency.
    var leastUrgent: (urgency: Urgency, slot: Int)? {
        sacrifices.first.map { ($0.order.urgency, $0.slot) }
    }

    /// All jobs, the oldest first: O(n log n).
    var oldestFirst: [Int] { slots.values.sorted { jobs[$0].sequence < jobs[$1].sequence } }

    subscript(slot: Int) -> Job<Key> { jobs[slot] }

    func slot(of key: Key) -> Int? { slots[key] }

    func id(at slot: Int) -> ID { jobs.id(at: slot) }

    func contains(_ id: ID) -> Bool { jobs.contains(id) }

    /// Puts in a job whose key isn't there.
    mutating func insert(_ job: Job<Key>) -> Int {
        let slot = jobs.insert(job).index
        slots[job.key] = slot
        sacrifices.insert(.init(urgency: job.urgency, sequence: job.sequence), slot: slot)
        if job.body != nil { ready.insert(job.order, slot: slot) }
        return slot
    }

    mutating func remove(_ slot: Int) -> Job<Key> {
        let job = jobs.remove(at: slot)
        slots[job.key] = nil
        ready.remove(slot: slot)
        sacrifices.remove(slot: slot)
        if begun == slot { begun = nil }
        return job
    }

    /// Lets a job go on before all others.
    mutating func keepGoing(_ slot: Int) {
        begun = slot
    }

    /// Changes a job's place, and whatever else `change` changes.
    mutating func update(_ slot: Int, _ change: (inout Job<Key>) -> Void) {
        change(&jobs[slot])
        let job = jobs[slot]
        sacrifices.insert(.init(urgency: job.urgency, sequence: job.sequence), slot: slot)
        if job.body != nil { ready.insert(job.order, slot: slot) }
    }

    /// Checks that the lists agree with each other: O(n).
    func checkInvariants() {
        precondition(slots.count == jobs.count, "a key is in the queue once")
        precondition(sacrifices.count == jobs.count, "every job can be dropped")
        ready.checkInvariants()
        sacrifices.checkInvariants()
        for (key, slot) in slots {
            let job = jobs[slot]
            precondition(job.key == key, "a key knows its job")
            precondition(
                ready.order(ofSlot: slot) == (job.body == nil ? nil : job.order),
                "a job waits for a lull by its order, or for a worker")
        }
        precondition(begun.map(ready.contains(slot:)) ?? true, "what has begun is ready")
    }
}
