internal import IdleLoop

/// The workers and operations on which a loader's fetches run, and the time that fetches take.
final class FetchCoordinator<Key: Hashable> {
    private let queue: IdleQueue<Key>
    private let pool: WorkerPool?
    private let operationLimit: Int
    /// The pool for operations, once there was one.
    private var operations: OperationPool?
    /// The recent time of fetches.
    private(set) var usualCost: MeanDeviation<Duration>?
    /// The times of fetches by kind.
    private var costs = CostEstimator()
    /// The time at which the last fetch ended, successfully or not.
    private var lastEnd = Instant.zero

    init(queue: IdleQueue<Key>, pool: WorkerPool?, operationLimit: Int) {
        self.queue = queue
        self.pool = pool
        self.operationLimit = operationLimit
    }

    /// The number of fetches that can run at once; 0 without workers and operations.
    var width: Int { (pool?.width ?? 0) + (operations?.width ?? 0) }

    /// Returns whether there is a worker for a fetch, if it needs one.
    func canRun(_ fetch: Fetch<some Any>) -> Bool { fetch.isOperation || pool != nil }

    /// Returns whether the place of an unwanted fetch is needed and can be freed at once: an
    /// operation can be cancelled; a thread finishes its task anyway, and its result may as well be
    /// used.
    func needsPlace(of unwanted: LoadEntry, for fetch: Fetch<some Any>, running: Int) -> Bool {
        guard unwanted.isFetching, unwanted.job?.isOperation == fetch.isOperation else {
            return false
        }
        return fetch.isOperation
            ? operations?.isFull ?? false
            : queue.clock.isVirtual && running >= pool?.width ?? 0
    }

    /// Returns the expected duration of fetches of a kind, if it is learned.
    func expectedCost(of kind: WorkKind?) -> Duration? {
        kind.flatMap { costs.expected(of: $0)?.mean }
    }

    /// Returns the expected duration of a fetch of a kind: of an operation the learned one, if there
    /// is one; of a worker's work what its source says, which it takes on virtual time.
    func expectedCost(of fetch: Fetch<some Any>, _ kind: WorkKind?) -> Duration {
        (fetch.isOperation ? expectedCost(of: kind) : nil) ?? fetch.cost
    }

    /// Submits a fetch of an expected cost to the queue.
    func submit<Source: LoadSource>(
        _ fetch: Fetch<Source.Fetched>, _ cost: Duration, of job: LoadJob<Key, Source.Value>,
        key: Key, at order: LoadOrder, from source: Source
    ) where Source.Key == Key {
        let then = { (fetched: TimedFetch<Source.Fetched>) in
            job.store(fetched, from: source)
            return { (slot: borrowing IdleSlot) in try job.run(in: slot) }
        }
        let (priority, rank) = (order.urgency.priority, order.turn)
        switch fetch.work {
        case .operation(let start):
            let pool = operations ?? OperationPool(width: operationLimit, on: queue.loop)
            operations = pool
            queue.submit(
                key, priority: priority, rank: rank, on: pool, onEnd: job.end,
                start: timed(start, of: job, from: source), then: then)
        case .worker(let work):
            guard let pool else { return }  // then it was refused before
            queue.submit(
                key, priority: priority, rank: rank, on: pool, cost: cost, onEnd: job.end,
                work: timed(work, cost: cost), then: then)
        }
    }

    /// Returns an operation that measures its duration and is stored in its key's entry.
    private func timed<Source: LoadSource>(
        _ start: @escaping (MainLoop, OperationCompletion<Source.Fetched>) -> any PendingOperation,
        of job: LoadJob<Key, Source.Value>, from source: Source
    ) -> (OperationCompletion<TimedFetch<Source.Fetched>>) -> any PendingOperation
    where Source.Key == Key {
        let (loop, clock) = (queue.loop, queue.clock)
        return { completion in
            let begun = clock.now
            let operation = start(
                loop,
                OperationCompletion { result in
                    let took = begun.duration(to: clock.now)
                    completion(result.map { TimedFetch(value: $0, start: begun, took: took) })
                } preview: {
                    job.show($0, from: source)
                } process: { part in
                    completion.process { slot in try job.process(part, in: slot) }
                })
            job.hold(operation)
            return operation
        }
    }

    /// Returns the work of a fetch, timed; on virtual time its duration is the expected cost.
    private func timed<Fetched>(
        _ work: @escaping @Sendable () throws -> Fetched, cost: Duration
    ) -> @Sendable () throws -> TimedFetch<Fetched> {
        let isVirtual = queue.clock.isVirtual
        return {
            let start = LoopClock.monotonic.now
            let value = try work()
            guard !isVirtual else { return TimedFetch(value: value, start: nil, took: cost) }
            return TimedFetch(
                value: value, start: start, took: start.duration(to: LoopClock.monotonic.now))
        }
    }

    /// Stores that a fetch has ended now, and how long it took if it was successful.
    func noteEnd(of kind: WorkKind? = nil, took: Duration? = nil) {
        lastEnd = queue.clock.now
        guard let took else { return }
        usualCost.add(took, firstDeviation: took / 2)
        if let kind { costs.learn(took, of: kind) }
    }

    /// Returns the time from which the limit of a fetch counts: its start, or while it waits for a
    /// worker the end of the last fetch, so that it also ends if the workers make no progress.
    ///
    /// An operation that waits for a place counts from now: one that stalls frees its place when it
    /// is cancelled, and a worker doesn't.
    func start(of key: Key, isOperation: Bool, submitted: Instant) -> Instant {
        queue.workStart(of: key) ?? (isOperation ? queue.clock.now : max(lastEnd, submitted))
    }
}

/// The result of a fetch, with its start and duration.
struct TimedFetch<Fetched: Sendable>: Sendable {
    let value: Fetched
    let start: Instant?
    let took: Duration
}
