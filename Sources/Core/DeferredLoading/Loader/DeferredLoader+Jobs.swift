internal import IdleLoop

// Submits work to the queue, runs it, and handles the results.
extension DeferredLoader {
    /// Offers the next entry to the queue, if there is room; false if there is nothing to offer.
    ///
    /// Unwanted jobs make room. O(log n).
    func offerNext() -> Bool {
        guard isOpen, let (_, level) = machine.next else { return false }
        if !isBlocked {
            if queue.hasRoom(for: level.urgency.priority) {
                perform(.room)
                return true
            }
            if level != .last, let kept = machine.table.nextKept {
                perform(.displaced(kept))
                return true
            }
        }
        guard !machine.newlyHeld.isEmpty else { return false }
        perform(.noRoom(jobs: queue.count))
        return true
    }

    /// Submits an entry's work to the queue, if it is still the next one.
    func submit(_ entry: Entry) {
        if isOpen, isNext(entry) { submit(entry, from: source) }
    }

    private func submit<Source: LoadSource>(_ entry: Entry, from source: Source)
    where Source.Key == Key, Source.Value == Value {
        let fetch = entry.life.stage == .nothing ? source.fetch(entry.key) : nil
        // The source was called: the answer may have come with a change of what is wanted.
        guard isNext(entry), let level = entry.level else { return }
        guard let fetch else { return submit(entry, at: level) }
        if !fetch.isOperation, pool == nil { return refuse(entry, as: LoadError.needsPool) }
        guard queue.hasRoom(for: level.urgency.priority, cost: fetch.cost) else {
            isBlocked = !queue.isEmpty
            if !isBlocked { refuse(entry, as: LoadError.tooCostly) }
            return
        }
        if entry.life.isWanted, let kept = machine.table.nextKept,
            isPlaceNeeded(byItself: fetch.isOperation, of: kept)
        {
            perform(.displaced(kept))
        }
        submit(entry, at: level, fetch, from: source)
    }

    /// Returns whether an entry is still the next one to be offered.
    private func isNext(_ entry: Entry) -> Bool {
        !entry.isGone && entry.life.place == .held && entry === machine.next?.entry
    }

    /// Fails a key whose fetch the queue can never accept.
    private func refuse(_ entry: Entry, as error: any Error) {
        let failure = failure(of: entry, error)
        if isNext(entry) { fail(entry, failure) }
    }

    /// Returns whether the place of an unwanted fetch is needed and can be freed at once: an
    /// operation can be cancelled; a thread finishes its task anyway, and its result may as well be
    /// used.
    private func isPlaceNeeded(byItself isOperation: Bool, of kept: LoadEntry) -> Bool {
        guard kept.isFetching, kept.fetchesByItself == isOperation else { return false }
        return isOperation
            ? operations?.isFull ?? false
            : queue.clock.isVirtual && machine.table.tally.fetching >= pool?.width ?? 0
    }

    /// Submits an entry's load to the queue.
    private func submit(_ entry: Entry, at level: WishLevel) {
        let ticket = offered(entry, nil)
        note(
            queue.submit(
                entry.key, priority: level.urgency.priority, rank: level.turn,
                onEnd: onEnd(of: entry, ticket), body(of: entry, ticket)
            ).submission,
            of: entry, ticket)
    }

    /// Submits an entry's fetch and load to the queue.
    private func submit<Source: LoadSource>(
        _ entry: Entry, at level: WishLevel, _ fetch: Fetch<Source.Fetched>, from source: Source
    ) where Source.Key == Key, Source.Value == Value {
        let ticket = offered(entry, .init(cost: fetch.cost, isOperation: fetch.isOperation))
        let (onEnd, body) = (onEnd(of: entry, ticket), body(of: entry, ticket))
        let then = { [weak self, weak entry] (fetched: Timed<Source.Fetched>) in
            if let self, let entry { storeFetched(entry, ticket, fetched, from: source) }
            return body
        }
        let (priority, rank) = (level.urgency.priority, level.turn)
        let submission: Submission
        switch fetch.work {
        case .operation(let start):
            let pool = operations ?? OperationPool(width: configuration.operations, on: queue.loop)
            operations = pool
            submission =
                queue.submit(
                    entry.key, priority: priority, rank: rank, on: pool, cost: fetch.cost,
                    onEnd: onEnd, start: timed(start, of: entry, ticket, from: source), then: then
                ).submission
        case .worker(let work):
            let given = pool.map {
                queue.submit(
                    entry.key, priority: priority, rank: rank, on: $0, cost: fetch.cost,
                    onEnd: onEnd, work: timed(work, cost: fetch.cost), then: then)
            }
            submission = given?.submission ?? .rejected  // without a pool it was refused before
        }
        note(submission, of: entry, ticket)
    }

    /// Returns the identity of the job that an entry is about to have, with its key's current
    /// generation.
    private func offered(_ entry: Entry, _ fetch: Event.FetchFacts?) -> Ticket {
        perform(.offered(entry, fetch))
        return Ticket(job: entry.ticket, generation: entry.generation)
    }

    private func onEnd(of entry: Entry, _ ticket: Ticket) -> (JobEnd) -> Void {
        { [weak self, weak entry] end in
            if let self, let entry { ended(entry, ticket, end) }
        }
    }

    private func body(
        of entry: Entry, _ ticket: Ticket
    ) -> (borrowing IdleSlot) throws -> JobProgress {
        { [weak self, weak entry] slot in
            guard let self, let entry else { return .skipped }
            return try run(entry, ticket, in: slot)
        }
    }

    /// Handles the result of submitting a job.
    private func note(_ submission: Submission, of entry: Entry, _ ticket: Ticket) {
        switch submission {
        case .queued, .joined, .follows: return
        case .rejected: ended(entry, ticket, .dropped(.full))
        case .dropped: break
        }
        isBlocked = !queue.isEmpty  // otherwise no job's end would report room
    }

    // MARK: - Fetches

    /// Returns an operation that measures its duration and is stored in its key's entry.
    private func timed<Source: LoadSource>(
        _ start: @escaping (MainLoop, OperationCompletion<Source.Fetched>) -> any PendingOperation,
        of entry: Entry, _ ticket: Ticket, from source: Source
    ) -> (OperationCompletion<Timed<Source.Fetched>>) -> any PendingOperation
    where Source.Key == Key, Source.Value == Value {
        let (loop, clock) = (queue.loop, queue.clock)
        return { [weak self, weak entry] completion in
            let begun = clock.now
            let operation = start(
                loop,
                OperationCompletion { result in
                    let took = begun.duration(to: clock.now)
                    completion(result.map { Timed(value: $0, start: begun, took: took) })
                } preview: { [weak self] part in
                    if let self, let entry { show(part, of: entry, ticket, from: source) }
                })
            entry?.operation = operation
            return operation
        }
    }

    /// Shows a part of an unfinished fetch.
    private func show<Source: LoadSource>(
        _ part: Source.Fetched, of entry: Entry, _ ticket: Ticket, from source: Source
    ) where Source.Key == Key, Source.Value == Value {
        guard isOpen, isCurrent(entry, ticket), entry.isFetching,
            let value = source.preview(of: entry.key, fetched: part)
        else { return }
        let bytes = configuration.byteLimit.map { _ in source.size(of: value) }
        guard isCurrent(entry, ticket), entry.isFetching else { return }
        let last = entry.contents?.shown
        defer { withExtendedLifetime(last) {} }  // its release may call back
        entry.add { $0.shown = .refined(value, share: nil) }
        perform(.refined(entry, cost: .zero, bytes: bytes))
    }

    /// Returns the work of a fetch, timed; on virtual time its duration is the expected cost.
    private func timed<Fetched>(
        _ work: @escaping @Sendable () throws -> Fetched, cost: Duration
    ) -> @Sendable () throws -> Timed<Fetched> {
        let isVirtual = queue.clock.isVirtual
        return {
            let start = LoopClock.monotonic.now
            let value = try work()
            guard !isVirtual else { return Timed(value: value, start: nil, took: cost) }
            return Timed(
                value: value, start: start, took: start.duration(to: LoopClock.monotonic.now))
        }
    }

    /// Stores the result of a fetch.
    private func storeFetched<Source: LoadSource>(
        _ entry: Entry, _ ticket: Ticket, _ fetched: Timed<Source.Fetched>, from source: Source
    ) where Source.Key == Key, Source.Value == Value {
        fetchesMoved = queue.clock.now
        usualFetch.add(fetched.took)
        guard isCurrent(entry, ticket) else { return }
        let bytes = source.size(ofFetched: fetched.value)
        guard isCurrent(entry, ticket) else { return }
        entry.add { contents in
            contents.fetched = { [key = entry.key] in
                try source.load(key, fetched: fetched.value)
            }
        }
        perform(.fetched(entry, bytes: bytes, start: fetched.start, took: fetched.took))
    }

    /// Fails a fetch that has reached its time limit, also if it is waiting for workers that make
    /// no progress.
    func checkFetch(_ entry: Entry, due: Instant) {
        guard isOpen, !entry.isGone, entry.isFetching, let limit = configuration.fetchTimeout
        else { return }
        let now = queue.clock.now
        // A cancelled operation frees its place for the next; a worker continues.
        let begun = queue.workStart(of: entry.key) ?? (entry.fetchesByItself ? now : nil)
        let start = begun ?? max(fetchesMoved, due.advanced(by: .zero - limit))
        let end = start.advanced(by: limit)
        guard end <= now else { return perform(.fetchGoesOn(entry, until: end)) }
        queue.cancel(entry.key)  // takes the result if it has arrived just now
        guard !entry.isGone, entry.life.stage == .nothing else { return }
        let generation = entry.generation
        let failure = failure(of: entry, LoadError.timedOut(limit: limit))
        if !entry.isGone, entry.generation == generation { fail(entry, failure) }
    }

    // MARK: - Loads

    /// Runs a slice of a job.
    private func run(
        _ entry: Entry, _ ticket: Ticket, in slot: borrowing IdleSlot
    ) throws -> JobProgress {
        guard isOpen, isCurrent(entry, ticket), !entry.life.isSettled else { return .skipped }
        // An unwanted load continues only while no other is ready.
        if entry.life.claim == .kept, machine.table.tally.ready > 0 { return .skipped }
        do {
            return try step(entry, ticket, in: slot)
        } catch {
            guard isCurrent(entry, ticket) else { return .skipped }
            throw error
        }
    }

    private func step(
        _ entry: Entry, _ ticket: Ticket, in slot: borrowing IdleSlot
    ) throws -> JobProgress {
        let start = slot.now
        if machine.isFirstSlice(entry) {
            perform(.starts(entry))
            guard isCurrent(entry, ticket) else { return .skipped }
        }
        let load: any Load<Value>
        if let begun = entry.contents?.load {
            load = begun
        } else {
            load = try entry.contents?.fetched?() ?? source.begin(entry.key)
            guard isCurrent(entry, ticket) else { return .skipped }
            entry.add { $0.load = load }
            perform(.begun(entry))
        }
        let step: LoadStep<Value>
        do {
            step = try load.step(in: slot)
        } catch {
            let cost = start.duration(to: slot.now)
            if isCurrent(entry, ticket) { perform(.sliced(entry, cost: cost, bytes: nil)) }
            throw error
        }
        guard isCurrent(entry, ticket) else { return .skipped }
        let cost = start.duration(to: slot.now)
        switch step {
        case .done(let value):
            let bytes = source.size(of: value)
            guard isCurrent(entry, ticket) else { return .skipped }
            let done = entry.settle(.loaded(value))
            defer { withExtendedLifetime(done) {} }  // its release may call back
            perform(.loaded(entry, cost: cost, bytes: bytes))
            return .done
        case .refined(let value):
            let bytes = bytes(of: entry, load, showing: value)
            guard isCurrent(entry, ticket) else { return .skipped }
            let last = entry.contents?.shown
            defer { withExtendedLifetime(last) {} }  // its release may call back
            entry.add { $0.shown = .refined(value, share: nil) }
            perform(.refined(entry, cost: cost, bytes: bytes))
        case .more:
            let bytes = bytes(of: entry, load, showing: entry.contents?.shown.shown)
            guard isCurrent(entry, ticket) else { return .skipped }
            perform(.sliced(entry, cost: cost, bytes: bytes))
        }
        return isCurrent(entry, ticket) ? .again : .skipped
    }

    /// Returns the number of bytes that a begun load holds; nil if bytes aren't limited.
    private func bytes(
        of entry: Entry, _ load: any Load<Value>, showing preview: @autoclosure () -> Value?
    ) -> Int? {
        guard configuration.byteLimit != nil else { return nil }
        return entry.fetchedBytes + load.size + (preview().map { source.size(of: $0) } ?? 0)
    }

    /// Handles the end of a job.
    private func ended(_ entry: Entry, _ ticket: Ticket, _ end: JobEnd) {
        isBlocked = false
        guard isOpen, !entry.isGone, entry.ticket == ticket.job, entry.life.place == .queued
        else { return settle() }
        var failure: Event.Failure?
        if case .failed(let error) = end, isCurrent(entry, ticket), !entry.life.isSettled {
            fetchesMoved = queue.clock.now
            failure = self.failure(of: entry, error)
            guard !entry.isGone, entry.ticket == ticket.job, entry.life.place == .queued
            else { return }
            if !isCurrent(entry, ticket) || entry.life.isSettled { failure = nil }
        }
        let done = failure.map { entry.settle(.failed($0.error, nextTry: nil)) }
        defer { withExtendedLifetime(done) {} }  // its release may call back
        perform(.jobEnded(entry, failure))
    }

    /// Fails a key.
    func fail(_ entry: Entry, _ failure: Event.Failure) {
        let done = entry.settle(.failed(failure.error, nextTry: nil))
        defer { withExtendedLifetime(done) {} }  // its release may call back
        perform(.failed(entry, failure))
    }

    /// Returns the failure, with the source's decision about a retry.
    func failure(of key: Key, _ error: any Error, after failures: Int) -> Event.Failure {
        .init(error: error, retry: source.retry(key, after: error, failures: failures + 1))
    }

    private func failure(of entry: Entry, _ error: any Error) -> Event.Failure {
        failure(of: entry.key, error, after: entry.failures)
    }

    /// Returns whether a ticket is that of the key's current job and generation.
    private func isCurrent(_ entry: Entry, _ ticket: Ticket) -> Bool {
        !entry.isGone && entry.ticket == ticket.job && entry.generation == ticket.generation
    }
}

/// The identity of a key's job, and the key's generation when it was submitted.
private struct Ticket {
    let job: UInt64
    let generation: UInt64
}

/// The result of a fetch, with its start and duration.
private struct Timed<Fetched: Sendable>: Sendable {
    let value: Fetched
    let start: Instant?
    let took: Duration
}
