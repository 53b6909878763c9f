internal import IdleLoop
internal import LullLibC

// The work that a loader submits to its queue, and its results, which it takes inside a change.
//
// A job's closures ask the loader only as long as it has an entry: it has none when it has ended, or
// the loader is closed or released.
extension DeferredLoader {
    private typealias Run = (borrowing IdleSlot) throws -> JobProgress

    /// Submits the next entry's job to the queue, if there is room; false if there is nothing to submit.
    ///
    /// Unwanted jobs make room. O(log n).
    func offerNext() -> Bool {
        guard let next = machine.next, let order = next.order else { return false }
        if queue.hasRoom(for: order.urgency.priority) {
            submit(own(next), order, from: source)
        } else if let unwanted = machine.table.leftOver.first {
            send { $0.withdraw(unwanted) }
        } else {
            if onDecision != nil { send { $0.reportRejected(jobs: queue.count) } }
            return false
        }
        return true
    }

    /// Submits an entry's work to the queue.
    private func submit<Source: LoadSource>(
        _ entry: Entry, _ order: LoadOrder, from source: Source
    ) where Source.Key == Key, Source.Value == Value {
        let key = entry.key
        let kind = source.kind(of: key)
        let fetch = entry.stage == .nothing ? source.fetch(key) : nil
        let job = fetch.map { makePlace(for: $0, kind) } ?? LoadJob(kind)
        if job.isFetching, !job.isOperation, pool == nil {
            return fail(entry, LoadError.needsPool)
        }
        send { $0.offered(entry, job) }
        let (priority, rank) = (order.urgency.priority, order.turn)
        let run: Run = { [weak self] slot in
            guard let self, let entry = job.current, !entry.isSettled else { return .skipped }
            return try self.run(job, of: own(entry), in: slot)
        }
        let onEnd: (JobEnd) -> Void = { [weak self] end in
            guard let self else { return job.entry = nil }
            if job.entry != nil { call { self.take(end, of: job) } }
        }
        let then = { [weak self] (fetched: Timed<Source.Fetched>) in
            if let self, let entry = job.entry { store(fetched, of: job, own(entry), from: source) }
            return run
        }
        switch fetch?.work {
        case nil: queue.submit(key, priority: priority, rank: rank, onEnd: onEnd, run)
        case .worker(let work):
            guard let pool else { return }
            queue.submit(
                key, priority: priority, rank: rank, on: pool, cost: job.fetchCost, onEnd: onEnd,
                work: timed(work, cost: job.fetchCost), then: then)
        case .operation(let start):
            let pool = operations ?? OperationPool(width: configuration.operations, on: queue.loop)
            operations = pool
            queue.submit(
                key, priority: priority, rank: rank, on: pool, onEnd: onEnd,
                start: timed(start, of: job, from: source), then: then)
        }
    }

    // MARK: - Fetches

    /// The result of a fetch, with its start and duration.
    private typealias Timed<Fetched> = (value: Fetched, start: Instant?, took: Duration)

    /// The number of fetches that can run at once; 0 without workers and operations.
    var fetchWidth: Int { (pool?.width ?? 0) + (operations?.width ?? 0) }

    /// Returns the job of a fetch, after an unwanted fetch has given its place to it.
    ///
    /// A place is freed only if that is possible at once: an operation can be cancelled; a thread
    /// finishes its task anyway, and its result may as well be used.
    private func makePlace(for fetch: Fetch<some Any>, _ kind: WorkKind?) -> LoadJob {
        // On virtual time a worker takes what its source says.
        let learned = fetch.isOperation ? expectedFetch(of: kind) : nil
        if let unwanted = machine.table.leftOver.first, let job = unwanted.job,
            job.isFetching, job.isOperation == fetch.isOperation
        {
            let isFull =
                fetch.isOperation
                ? operations?.isFull ?? false
                : queue.clock.isVirtual && machine.table.sums.fetching >= pool?.width ?? 0
            if isFull { send { $0.withdraw(unwanted) } }
        }
        return LoadJob(kind, fetchCost: learned ?? fetch.cost, isOperation: fetch.isOperation)
    }

    /// Returns the work of a fetch, timed; on virtual time its duration is the expected cost.
    private func timed<Fetched>(
        _ work: @escaping @Sendable () throws -> Fetched, cost: Duration
    ) -> @Sendable () throws -> Timed<Fetched> {
        let isVirtual = queue.clock.isVirtual
        return {
            let start = LoopClock.monotonic.now
            let value = try work()
            guard !isVirtual else { return (value, nil, cost) }
            return (value, start, start.duration(to: LoopClock.monotonic.now))
        }
    }

    /// Returns an operation that measures its duration, and shows and processes what has come so far.
    private func timed<Source: LoadSource>(
        _ start: @escaping (MainLoop, OperationCompletion<Source.Fetched>) -> any PendingOperation,
        of job: LoadJob, from source: Source
    ) -> (OperationCompletion<Timed<Source.Fetched>>) -> any PendingOperation
    where Source.Key == Key, Source.Value == Value {
        let (loop, clock) = (queue.loop, queue.clock)
        return { [weak self] completion in
            let begun = clock.now
            let operation = start(
                loop,
                OperationCompletion { result in
                    let took = begun.duration(to: clock.now)
                    completion(result.map { ($0, begun, took) })
                } preview: { [weak self] part in
                    guard let self, let entry = job.current, job.isFetching else { return }
                    show(part, of: own(entry), from: source)
                } process: { [weak self] part in
                    completion.process { [weak self] slot in
                        guard let self, let entry = job.current, job.isFetching else {
                            return .skipped
                        }
                        return try process(part, of: own(entry), in: slot)
                    }
                })
            job.operation = operation
            return operation
        }
    }

    /// Shows a part of an unfinished fetch.
    private func show<Source: LoadSource>(
        _ part: Source.Fetched, of entry: Entry, from source: Source
    ) where Source.Key == Key, Source.Value == Value {
        begin()
        if let value = source.preview(of: entry.key, fetched: part) {
            refine(entry, value, cost: .zero)
        }
        end()
    }

    /// Runs a slice of an unfinished fetch's own work on the loop.
    private func process(
        _ part: OperationCompletion<Void>.Part, of entry: Entry, in slot: borrowing IdleSlot
    ) throws -> JobProgress {
        begin()
        defer { end() }
        let start = slot.now
        let progress = try part(slot)
        endSlice(of: entry, cost: start.duration(to: slot.now))
        return progress
    }

    /// Takes the result of a fetch.
    private func store<Source: LoadSource>(
        _ fetched: Timed<Source.Fetched>, of job: LoadJob, _ entry: Entry, from source: Source
    ) where Source.Key == Key, Source.Value == Value {
        begin()
        defer { end() }
        let key = entry.key
        let (value, start, took) = fetched
        lastFetchEnd = queue.clock.now
        usualFetch.add(took, firstDeviation: took / 2)
        if let kind = job.kind {
            // Some sizes are known only now.
            let size = kind.size ?? source.kind(of: key)?.size
            fetchCosts.learn(took, of: WorkKind(kind.number, size: size))
        }
        guard job.current != nil else { return }
        let bytes = source.size(ofFetched: value)
        entry.fetched = { try source.load(key, fetched: value) }
        send { $0.fetched(entry, bytes: bytes, start: start, took: took) }
    }

    /// Returns the number of bytes that work in progress holds, with its preview; nil if bytes aren't
    /// limited.
    private func workBytes(of entry: Entry) -> Int? {
        guard configuration.byteLimit != nil else { return nil }
        let work = entry.isFetching ? entry.job?.operation?.size : entry.load?.size
        let preview = entry.shown.shown.map { source.size(of: $0) }
        return entry.fetchedBytes + (work ?? 0) + (preview ?? 0)
    }

    // MARK: - Loads

    /// Runs a slice of a load.
    private func run(_ job: LoadJob, of entry: Entry, in slot: borrowing IdleSlot) throws
        -> JobProgress
    {
        // A fetched result that is no longer wanted waits until it is wanted again.
        guard entry.isWanted || entry.stage == .begun else { return .waiting }
        begin()
        defer { end() }
        let start = slot.now
        let part = job.part.take()
        let made = Result { try entry.load ?? entry.fetched?() ?? source.begin(entry.key) }
        let onLanes = forLanes(made)
        if onLanes != nil, entry.stage != .begun, !queue.lanesHaveRoom {
            entry.load = try made.get()
            queue.awaitLane()
            return .again
        }
        job.isOnLanes = onLanes != nil
        if machine.isFirstSlice(entry) {
            send { $0.begin(entry) }
            // Begun, it may be too much for the memory.
            guard job.current != nil else { return .skipped }
        }
        let step: LoadStep<Value>
        do {
            let load = try made.get()
            entry.load = load
            if part == nil, let onLanes {
                leave(onLanes, job)
                return .again
            }
            step = try self.step(of: entry.key, load, part, in: slot)
        } catch {
            endSlice(of: entry, cost: part?.cost ?? start.duration(to: slot.now))
            throw error
        }
        let cost = part?.cost ?? start.duration(to: slot.now)
        switch step {
        case .done(let value):
            if let kind = job.kind { costs.learn(entry.spent + cost, of: kind) }
            let bytes = source.size(of: value)
            settle(entry, .loaded(value))
            send { $0.loaded(entry, cost: cost, bytes: bytes) }
            return .done
        case .refined(let value): refine(entry, value, cost: cost)
        case .more: endSlice(of: entry, cost: cost)
        case .waiting:
            endSlice(of: entry, cost: cost, waits: true)
            return .waiting
        }
        return .again
    }

    /// Returns a load whose next slices run on lanes; nil if they run here.
    private func forLanes(_ made: Result<any Load<Value>, any Error>) -> (any SendableLoad)? {
        guard case .success(let load) = made, load.placement == .anywhere,
            let load = load as? any SendableLoad
        else { return nil }
        usesLanes = queue.hasLanes
        return usesLanes ? load : nil
    }

    /// Lets lanes run the next slices of a load.
    private func leave(_ load: some SendableLoad, _ job: LoadJob) {
        let part = LoadPart(load)
        job.part = part
        queue.continueAnywhere { slot in part.run(in: slot) }
    }

    /// Returns the step to commit: that of a part, or of a slice that runs now.
    private func step(
        of key: Key, _ load: any Load<Value>, _ part: (any LoadOutcome)?,
        in slot: borrowing IdleSlot
    ) throws -> LoadStep<Value> {
        let result: Result<Value, any Error>
        do {
            let step: LoadStep<Value> = try part?.takeStep() ?? load.step(in: slot)
            guard case .done(let value) = step else { return step }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        return .done(try source.finish(key, load, result))
    }

    /// Replaces the preview of a key, after a slice.
    private func refine(_ entry: Entry, _ preview: Value, cost: Duration) {
        if entry.canBeShown { releaseLater(entry.shown) }
        entry.shown = .refined(preview, share: nil)
        endSlice(of: entry, cost: cost)
        send { $0.refined(entry) }
    }

    private func endSlice(of entry: Entry, cost: Duration, waits: Bool = false) {
        let bytes = workBytes(of: entry)
        send { $0.sliced(entry, cost: cost, bytes: bytes, waits: waits) }
    }

    /// Handles the end of a job, inside a change.
    func take(_ end: JobEnd, of job: LoadJob) {
        guard let entry = job.entry else { return }
        if job.isFetching {  // only its preview is left
            job.operation = nil
            endSlice(of: own(entry), cost: .zero)
        }
        if case .failed(let error) = end, job.current != nil, !entry.isSettled {
            lastFetchEnd = queue.clock.now
            fail(own(entry), error)
        }
        // It was made, and didn't begin.
        if entry.stage != .begun, let load = own(entry).load.take() { releaseLater(load) }
        send { $0.jobEnded(entry) }
    }

    // MARK: - What the machine asks for

    /// Moves an entry's job in the queue.
    func reorder(_ entry: Entry) {
        guard let order = entry.order else { return }
        queue.reprioritize(entry.key, priority: order.urgency.priority, rank: order.turn)
        // It waits if it was fetched while nobody wanted it.
        if entry.stage == .fetched, entry.isWanted { queue.resume(entry.key) }
    }

    /// Lets go of a load that nobody wants any more, unless its fetch is so nearly there that it goes
    /// on, after all that is wanted.
    ///
    /// That holds if most of it is done, by its time or its own account: it saves time where a list
    /// returns. Its result waits until it is wanted again, or its place is needed. A load on the loop
    /// is begun anew.
    func judge(_ entry: Entry) {
        guard entry.isLeftOver else { return }
        guard isNearlyThere(entry) else { return send { $0.withdraw(entry) } }
        let progress = progress(of: entry, entry.key)
        send { $0.keep(entry, progress) }
    }

    private func isNearlyThere(_ entry: Entry) -> Bool {
        guard let least = configuration.nearlyDone else { return false }
        guard let job = entry.job, job.isFetching else { return entry.stage == .fetched }
        if job.isOperation, let share = job.operation?.share { return share >= least }
        guard let start = queue.workStart(of: entry.key),
            let cost = expectedFetch(of: source.kind(of: entry.key)) ?? usualFetch?.mean,
            cost > .zero
        else { return false }
        return start.duration(to: queue.clock.now) / cost >= least
    }

    /// Cancels an entry's job.
    ///
    /// A worker that has begun its fetch finishes it, and the list for which it was begun is
    /// charged for it.
    func withdraw(_ entry: Entry) {
        if let job = entry.job, job.isFetching, !job.isOperation,
            let start = queue.workStart(of: entry.key)
        {
            job.spent += max(job.fetchCost, start.duration(to: queue.clock.now))
        }
        queue.cancel(entry.key)
    }

    /// Fails a fetch that has reached its time limit, also if it is waiting for workers that make
    /// no progress.
    ///
    /// The limit counts from the start of the fetch, or while it waits for a worker from the end of the
    /// last fetch. An operation that waits for a place counts from now: one that stalls frees its place
    /// when it is cancelled, and a worker doesn't.
    func checkFetch(_ entry: Entry, due: Instant) {
        guard let job = entry.job, job.isFetching, let limit = configuration.fetchTimeout
        else { return }
        let now = queue.clock.now
        let start =
            queue.workStart(of: entry.key)
            ?? (job.isOperation ? now : max(lastFetchEnd, due - limit))
        let end = start.advanced(by: limit)
        guard end <= now else { return send { $0.wait(entry, until: end) } }
        queue.cancel(entry.key)  // takes the result if it has arrived just now
        guard entry.stage == .nothing else { return }
        fail(entry, LoadError.timedOut(limit: limit))
    }
}
