internal import IdleLoop

// Handing work to the queue, and taking what was fetched.
extension DeferredLoader {
    /// Hands in what isn't in the queue yet, most urgent first, as far as there is room.
    ///
    /// O(log n) for each.
    func offer() {
        while isOpen, let entry = table.nextHeld, let level = entry.level {
            guard !isBlocked, hasRoom(for: level) else { return sayTurnedAway() }
            guard isAdmitted(entry) else {
                note(entry, .crowdedOut, "what is more urgent fills the memory")
                handle(.crowdedOut, entry)
                continue
            }
            guard offer(entry, at: level, from: source) else { return }
        }
        newlyHeld = []
    }

    /// Hands in the work of an entry that is next; false if the queue takes nothing more for now.
    private func offer<Source: LoadSource>(
        _ entry: Entry, at level: WishLevel, from source: Source
    ) -> Bool where Source.Key == Key, Source.Value == Value {
        guard entry.life.stage == .nothing, let fetch = source.fetch(entry.key) else {
            // It was asked something: the answer may have come with another change of mind.
            return isNext(entry) ? submit(entry, at: entry.level ?? level) : true
        }
        guard isNext(entry) else { return true }
        if !fetch.isOperation, pool == nil {
            refuse(entry, as: LoadNeedsPool())
            return true
        }
        guard queue.hasRoom(for: level.urgency.priority, cost: fetch.cost) else {
            isBlocked = !queue.isEmpty
            if isBlocked { sayTurnedAway() } else { refuse(entry, as: LoadTooCostly()) }
            return !isBlocked
        }
        if entry.life.isWanted {
            // Which may bring a result, of which others are told.
            freePlace(byItself: fetch.isOperation)
            guard isNext(entry) else { return true }
        }
        return submit(entry, at: entry.level ?? level, fetch, from: source)
    }

    /// Whether an entry is still the one to be offered next.
    private func isNext(_ entry: Entry) -> Bool {
        !entry.isGone && entry.life.place == .held && entry === table.nextHeld
    }

    /// Whether the queue takes a job of this urgency; what nobody wants makes room.
    private func hasRoom(for level: WishLevel) -> Bool {
        while !queue.hasRoom(for: level.urgency.priority) {
            guard level != .last, let kept = table.nextKept else { return false }
            handle(.unwanted(isNearlyDone: false), kept)
        }
        return true
    }

    /// Says of each that waits since the last time that the queue has no room for it.
    private func sayTurnedAway() {
        let entries = newlyHeld
        newlyHeld = []
        for entry in entries where entry.life.place == .held && entry.life.isWanted {
            guard !entry.isGone, !entry.isTurnedAway else { continue }
            entry.isTurnedAway = true
            note(entry, .turnedAway, "\(queue.count) jobs of its urgency or above fill the queue")
        }
    }

    /// Looks for room again when the loop has been at work, where only jobs of others fill the queue:
    /// nobody tells of their ends.
    func awaitRoom() {
        let isWaiting = isOpen && table.nextHeld != nil && table.tally.queued == 0
        guard isWaiting != (roomObserver != nil), !queue.loop.isClosed else { return }
        roomObserver?.cancel()
        roomObserver = nil
        guard isWaiting, queue.isAccepting else { return }
        roomObserver = queue.loop.observe(.beforeIdle) { [weak self] _ in
            self?.perform { self?.isBlocked = false }
        }
    }

    /// Hands an entry's load to the queue; false if the queue didn't take it.
    private func submit(_ entry: Entry, at level: WishLevel) -> Bool {
        entry.isFetching = false
        entry.fetchesByItself = false
        entry.fetchCost = .zero
        entry.deadline = .distantFuture
        let ticket = ticket(for: entry)
        return note(
            queue.submit(
                entry.key, priority: level.urgency.priority, rank: level.turn,
                onEnd: onEnd(of: entry, ticket), body(of: entry, ticket)),
            of: entry, ticket)
    }

    /// Hands an entry's fetch and load to the queue; false if the queue didn't take it.
    private func submit<Source: LoadSource>(
        _ entry: Entry, at level: WishLevel, _ fetch: Fetch<Source.Fetched>, from source: Source
    ) -> Bool where Source.Key == Key, Source.Value == Value {
        entry.isFetching = true
        entry.fetchesByItself = fetch.isOperation
        entry.fetchCost = fetch.cost
        let limit = configuration.fetchTimeout
        entry.deadline = limit.map { queue.clock.now.advanced(by: $0) } ?? .distantFuture
        let ticket = ticket(for: entry)
        let (onEnd, body) = (onEnd(of: entry, ticket), body(of: entry, ticket))
        let then: (Timed<Source.Fetched>) -> IdleQueue<Key>.Body = { [weak self, weak entry] in
            if let self, let entry { arrived(entry, ticket, $0, from: source) }
            return body
        }
        let (priority, rank) = (level.urgency.priority, level.turn)
        let submission: Submission
        if let start = fetch.start(on: queue.loop) {
            let pool = operations ?? OperationPool(width: configuration.operations, on: queue.loop)
            operations = pool
            submission = queue.submit(
                entry.key, priority: priority, rank: rank, on: pool, cost: fetch.cost,
                onEnd: onEnd, start: timed(start, of: entry), then: then)
        } else if let pool, case .worker(let work) = fetch.work {
            submission = queue.submit(
                entry.key, priority: priority, rank: rank, on: pool, cost: fetch.cost,
                onEnd: onEnd, work: timed(work, cost: fetch.cost), then: then)
        } else {
            submission = .rejected  // `offer` has refused it
        }
        return note(submission, of: entry, ticket)
    }

    /// The name of the job that an entry is about to have, and of what its key stands for now.
    private func ticket(for entry: Entry) -> Ticket {
        entry.ticket = tick()
        entry.spentByJob = .zero
        entry.turn = isShared ? entry.wishes.foremost : nil
        entry.hasBegunTurn = false
        handle(.offered, entry)
        return Ticket(job: entry.ticket, generation: entry.generation)
    }

    private func onEnd(of entry: Entry, _ ticket: Ticket) -> (JobEnd) -> Void {
        { [weak self, weak entry] end in
            if let self, let entry { ended(entry, ticket, end) }
        }
    }

    private func body(of entry: Entry, _ ticket: Ticket) -> IdleQueue<Key>.Body {
        { [weak self, weak entry] slot in
            guard let self, let entry else { return .skipped }
            return try run(entry, ticket, in: slot)
        }
    }

    /// Takes note of what came of handing in a job; false if the queue didn't take it.
    private func note(_ submission: Submission, of entry: Entry, _ ticket: Ticket) -> Bool {
        switch submission {
        case .queued, .joined, .follows: return true
        case .rejected: ended(entry, ticket, .dropped(.full))
        case .dropped: break
        }
        isBlocked = !queue.isEmpty  // else no job's end would tell of room
        return false
    }

    /// Fails a key whose fetch the queue can never take.
    private func refuse(_ entry: Entry, as error: any Error) {
        guard !entry.isGone, entry.life.place == .held else { return }
        finish(entry, .failure(error))
    }

    /// Takes back a fetch that nobody wants if its place is needed, and free at once: an operation's
    /// is, a thread works to the end of its task, and then its result may as well be taken.
    private func freePlace(byItself isOperation: Bool) {
        guard let kept = table.nextKept, kept.isFetching, kept.fetchesByItself == isOperation
        else { return }
        let isNeeded =
            isOperation
            ? operations?.isFull ?? false
            : queue.clock.isVirtual && table.tally.fetching >= pool?.width ?? 0
        if isNeeded { handle(.unwanted(isNearlyDone: false), kept) }
    }

    /// An operation that tells how long it has taken, and that its key's entry knows of.
    private func timed<Fetched>(
        _ start: @escaping (OperationCompletion<Fetched>) -> any PendingOperation, of entry: Entry
    ) -> (OperationCompletion<Timed<Fetched>>) -> any PendingOperation {
        let clock = queue.clock
        return { [weak entry] completion in
            let begun = clock.now
            let operation = start(
                OperationCompletion { result in
                    let took = begun.duration(to: clock.now)
                    completion(result.map { Timed(value: $0, start: begun, took: took) })
                })
            entry?.operation = operation
            return operation
        }
    }

    /// The work of a fetch; on virtual time it takes what it was said to.
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

    /// Takes what was fetched: now it waits for a lull, if it's still wanted.
    private func arrived<Source: LoadSource>(
        _ entry: Entry, _ ticket: Ticket, _ fetched: Timed<Source.Fetched>, from source: Source
    ) where Source.Key == Key, Source.Value == Value {
        perform {
            fetchesMoved = queue.clock.now
            if usualFetch?.add(fetched.took) == nil { usualFetch = UsualCost(fetched.took) }
            guard isCurrent(entry, ticket) else { return }
            let bytes = source.size(ofFetched: fetched.value)
            guard isCurrent(entry, ticket) else { return }
            entry.isFetching = false
            entry.deadline = .distantFuture
            if !entry.fetchesByItself { spendFetch(fetched.took, on: entry) }
            entry.fetched = { [key = entry.key] in
                try source.load(key, fetched: fetched.value)
            }
            entry.fetchedBytes = bytes
            entry.bytes = bytes
            note(
                entry,
                .fetched(
                    since: fetched.start
                        ?? queue.clock.now.advanced(by: .zero - fetched.took)))
            handle(.reached(.fetched), entry)
            // It was only to be fetched.
            if entry.life.claim == .kept { handle(.unwanted(isNearlyDone: false), entry) }
        }
    }

    /// Whether what a job brings is of the key's present job and of what it stands for now.
    private func isCurrent(_ entry: Entry, _ ticket: Ticket) -> Bool {
        !entry.isGone && entry.ticket == ticket.job && entry.generation == ticket.generation
    }
}

/// What names a job of a key, and what the key stood for when it was handed in.
struct Ticket {
    let job: UInt64
    let generation: UInt64
}

/// What a fetch gave, and when it began and ended.
private struct Timed<Fetched: Sendable>: Sendable {
    let value: Fetched
    let start: Instant?
    let took: Duration
}
