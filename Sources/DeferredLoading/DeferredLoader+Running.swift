internal import IdleLoop

// Running what was handed to the queue, and taking what comes of it.
extension DeferredLoader {
    /// Runs a slice of a job.
    func run(
        _ entry: Entry, _ ticket: Ticket, in slot: borrowing IdleSlot
    ) throws -> JobProgress {
        guard isOpen, !entry.isGone, entry.ticket == ticket.job, !entry.life.isSettled else {
            return .skipped
        }
        // What nobody wants goes on only while nothing else waits.
        if entry.life.claim == .kept, table.tally.ready > 0 { return .skipped }
        let generation = entry.generation
        beginChange()
        defer { endChange() }
        do {
            return try step(entry, in: slot)
        } catch {
            guard entry.generation == generation, !entry.isGone else { return .skipped }
            throw error
        }
    }

    private func step(_ entry: Entry, in slot: borrowing IdleSlot) throws -> JobProgress {
        let generation = entry.generation
        let start = slot.now
        let load: any Load<Value>
        if let begun = entry.load {
            load = begun
        } else {
            note(entry, .begun)
            load = try entry.fetched?() ?? source.begin(entry.key)
            guard entry.generation == generation, !entry.isGone else { return .skipped }
            entry.load = load
            handle(.reached(.begun), entry)
        }
        begin(entry)
        let step: LoadStep<Value>
        do {
            step = try load.step(in: slot)
        } catch {
            spend(start.duration(to: slot.now), on: entry)
            throw error
        }
        guard entry.generation == generation, !entry.isGone else { return .skipped }
        spend(start.duration(to: slot.now), on: entry)
        return take(step, of: load, entry)
    }

    private func take(
        _ step: LoadStep<Value>, of load: any Load<Value>, _ entry: Entry
    ) -> JobProgress {
        let generation = entry.generation
        switch step {
        case .done(let value):
            learn(entry.spent, of: entry)
            finish(entry, .success(value))
            return .done
        case .refined(let value):
            let last = entry.preview  // which may call back as it goes
            defer { withExtendedLifetime(last) {} }
            entry.preview = value
            entry.previewNumber = tick()
            count(entry, load)
            guard entry.generation == generation, !entry.isGone else { return .skipped }
            note(entry, .refined)
            commit(entry)
        case .more:
            count(entry, load)
        }
        return entry.generation == generation && !entry.isGone ? .again : .skipped
    }

    /// Counts the bytes of a load that was begun.
    private func count(_ entry: Entry, _ load: any Load<Value>) {
        guard configuration.byteLimit != nil else { return changed(entry) }
        let preview = entry.preview.map { source.size(of: $0) } ?? 0
        guard !entry.isGone, entry.load === load else { return }
        entry.bytes = entry.fetchedBytes + preview + load.size
        changed(entry)
    }

    /// A job has begun a slice: its list's turn has come.
    private func begin(_ entry: Entry) {
        guard isShared, !entry.hasBegunTurn, let wish = entry.wishes.foremost else { return }
        entry.turn = wish
        entry.hasBegunTurn = true
        fairness.begin(wish.level)
    }

    /// Notes what a worker has spent on a job: its list is charged for that too.
    func spendFetch(_ cost: Duration, on entry: Entry) {
        guard isShared else { return }
        entry.spentByJob += cost
        guard let turn = entry.turn, let list = lists[turn.list] else { return }
        if list.usualFetch?.add(cost) == nil { list.usualFetch = UsualCost(cost) }
    }

    private func spend(_ cost: Duration, on entry: Entry) {
        entry.spent += cost
        entry.spentByJob += cost
    }

    private func learn(_ cost: Duration, of entry: Entry) {
        if usualCost?.add(cost) == nil { usualCost = UsualCost(cost) }
        guard let wish = entry.wishes.foremost, let list = lists[wish.list] else { return }
        if list.usualCost?.add(cost) == nil { list.usualCost = UsualCost(cost) }
    }

    /// Charges a list for what a job took.
    private func charge(_ entry: Entry) {
        guard let turn = entry.turn else { return }
        entry.turn = nil
        guard isShared, entry.spentByJob > .zero, let list = lists[turn.list] else { return }
        let isOff = fairness.charge(&list.account, turn, cost: entry.spentByJob)
        if isOff { giveTurns(to: list, isForDrift: true) }
    }

    /// Takes note of the end of a job: what's still wanted and not there is offered again.
    func ended(_ entry: Entry, _ ticket: Ticket, _ end: JobEnd) {
        isBlocked = false
        guard !entry.isGone, entry.ticket == ticket.job, entry.life.place == .queued else { return }
        perform {
            if entry.isFetching {
                entry.isFetching = false
                entry.deadline = .distantFuture
            }
            if case .failed(let error) = end, entry.generation == ticket.generation,
                !entry.life.isSettled
            {
                fetchesMoved = queue.clock.now
                finish(entry, .failure(error))
            }
            charge(entry)
            handle(.jobEnded, entry)
            if entry.life.isSettled { makeRoom(for: entry) }
            tidy(entry)
        }
    }

    /// Gives a key its result, and makes room for it unless its job is still to end.
    func finish(_ entry: Entry, _ result: Result<Value, any Error>) {
        let generation = entry.generation
        let bytes = (try? result.get()).map { source.size(of: $0) } ?? 0
        guard !entry.isGone, entry.generation == generation else { return }
        let cost = entry.spent
        clear(entry)
        entry.bytes = bytes
        entry.result = result
        entry.since = tick()
        switch result {
        case .success:
            entry.failures = 0
            note(entry, .finished(cost: cost))
            handle(.reached(.loaded), entry)
            commit(entry)
        case .failure(let error):
            entry.failures += 1
            note(entry, .failed("\(error)"))
            handle(.reached(.failed), entry)
            let since = entry.since
            planRetry(of: entry, after: error)
            if !entry.isGone, entry.life.stage == .failed, entry.since == since { commit(entry) }
        }
        if entry.life.place != .queued { makeRoom(for: entry) }
    }
}
