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
            let needsFetch = entry.life.stage == .nothing
            let fetch = needsFetch ? source.fetch(entry.key) : nil
            // It was asked something: the answer may have come with another change of mind.
            guard isNext(entry) else { continue }
            if let fetch, !fetch.isOperation, pool == nil {
                refuse(entry, as: LoadNeedsPool())
                continue
            }
            if let fetch, !queue.hasRoom(for: level.urgency.priority, cost: fetch.cost) {
                isBlocked = !queue.isEmpty
                guard !isBlocked else { return sayTurnedAway() }
                refuse(entry, as: LoadTooCostly())
                continue
            }
            if let fetch, entry.life.isWanted {
                freePlace(for: fetch)  // which may bring a result, of which others are told
                guard isNext(entry) else { continue }
            }
            guard submit(entry, at: entry.level ?? level, fetch) else { return }
        }
        newlyHeld = []
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

    /// Hands an entry's work to the queue; false if the queue didn't take it.
    private func submit(_ entry: Entry, at level: WishLevel, _ fetch: Fetch?) -> Bool {
        let ticket = tick()
        let generation = entry.generation
        entry.ticket = ticket
        entry.isFetching = fetch != nil
        entry.fetchesByItself = fetch?.isOperation ?? false
        entry.spentByJob = .zero
        entry.turn = isShared ? entry.wishes.foremost : nil
        entry.hasBegunTurn = false
        entry.fetchCost = fetch?.cost ?? .zero
        let limit = fetch == nil ? nil : configuration.fetchTimeout
        entry.deadline = limit.map { queue.clock.now.advanced(by: $0) } ?? .distantFuture
        handle(.offered, entry)
        let onEnd: (JobEnd) -> Void = { [weak self, weak entry] end in
            guard let self, let entry else { return }
            ended(entry, ticket, generation, end)
        }
        let body: IdleQueue<Key>.Body = { [weak self, weak entry] slot in
            guard let self, let entry else { return .skipped }
            return try run(entry, ticket, in: slot)
        }
        let submission: Submission
        if let fetch {
            submission = send(entry, at: level, fetch, (ticket, generation), onEnd: onEnd, body)
        } else {
            submission = queue.submit(
                entry.key, priority: level.urgency.priority, rank: level.turn, onEnd: onEnd, body)
        }
        switch submission {
        case .queued, .joined, .follows: return true
        case .rejected: ended(entry, ticket, generation, .dropped(.full))
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

    private func send(
        _ entry: Entry, at level: WishLevel, _ fetch: Fetch,
        _ stamp: (ticket: UInt64, generation: UInt64), onEnd: @escaping (JobEnd) -> Void,
        _ body: @escaping IdleQueue<Key>.Body
    ) -> Submission {
        let then: (Fetched) -> IdleQueue<Key>.Body = { [weak self, weak entry] fetched in
            if let self, let entry { arrived(entry, stamp, fetched) }
            return body
        }
        switch fetch.work {
        case .worker(let work):
            guard let pool else { return .rejected }  // `offer` has refused it
            return queue.submit(
                entry.key, priority: level.urgency.priority, rank: level.turn, on: pool,
                cost: fetch.cost,
                onEnd: onEnd, work: timed(work, cost: fetch.cost), then: then)
        case .operation(let start):
            let operations =
                operations ?? OperationPool(width: configuration.operations, on: queue.loop)
            self.operations = operations
            return queue.submit(
                entry.key, priority: level.urgency.priority, rank: level.turn, on: operations,
                cost: fetch.cost, onEnd: onEnd, start: timed(start, of: entry)
            ) { fetched in
                guard let fetched = fetched as? Fetched else {
                    preconditionFailure("an operation's end is told with its time")
                }
                return then(fetched)
            }
        }
    }

    /// Takes back a fetch that nobody wants if its place is needed, and free at once: an operation's
    /// is, a thread works to the end of its task, and then its result may as well be taken.
    private func freePlace(for fetch: Fetch) {
        guard let kept = table.nextKept, kept.isFetching,
            kept.fetchesByItself == fetch.isOperation
        else { return }
        let isNeeded =
            fetch.isOperation
            ? operations?.isFull ?? false
            : queue.clock.isVirtual && table.tally.fetching >= pool?.width ?? 0
        if isNeeded { handle(.unwanted(isNearlyDone: false), kept) }
    }

    /// An operation that tells how long it has taken, and that its key's entry knows of.
    private func timed(
        _ start: @escaping (OperationCompletion) -> any PendingOperation, of entry: Entry
    ) -> (OperationCompletion) -> any PendingOperation {
        let clock = queue.clock
        return { [weak entry] completion in
            let begun = clock.now
            let operation = start(
                OperationCompletion { result in
                    let took = begun.duration(to: clock.now)
                    completion(result.map { Fetched(value: $0, start: begun, took: took) })
                })
            entry?.operation = operation
            return operation
        }
    }

    /// The work of a fetch; on virtual time it takes what it was said to.
    private func timed(
        _ work: @escaping @Sendable () throws -> any Sendable, cost: Duration
    ) -> @Sendable () throws -> Fetched {
        let isVirtual = queue.clock.isVirtual
        return {
            let start = LoopClock.monotonic.now
            let value = try work()
            guard !isVirtual else { return Fetched(value: value, start: nil, took: cost) }
            return Fetched(
                value: value, start: start, took: start.duration(to: LoopClock.monotonic.now))
        }
    }

    /// Takes what was fetched: now it waits for a lull, if it's still wanted.
    private func arrived(
        _ entry: Entry, _ stamp: (ticket: UInt64, generation: UInt64), _ fetched: Fetched
    ) {
        perform {
            fetchesMoved = queue.clock.now
            if usualFetch?.add(fetched.took) == nil { usualFetch = UsualCost(fetched.took) }
            guard isCurrent(entry, stamp) else { return }
            let bytes = source.size(ofFetched: fetched.value)
            guard isCurrent(entry, stamp) else { return }
            entry.isFetching = false
            entry.deadline = .distantFuture
            if !entry.fetchesByItself { spendFetch(fetched.took, on: entry) }
            entry.fetched = fetched.value
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
    private func isCurrent(
        _ entry: Entry, _ stamp: (ticket: UInt64, generation: UInt64)
    ) -> Bool {
        !entry.isGone && entry.ticket == stamp.ticket && entry.generation == stamp.generation
    }
}

extension Fetch {
    fileprivate var isOperation: Bool {
        if case .operation = work { return true }
        return false
    }
}

/// What a fetch gave, whatever its type, and when it began and ended.
private struct Fetched: Sendable {
    let value: any Sendable
    let start: Instant?
    let took: Duration
}
