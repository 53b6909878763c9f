internal import IdleLoop
internal import LullLibC

// What a loader submits to its queue, and takes back from it, inside a change.
extension DeferredLoader {
    /// Submits the next entry's job to the queue, if there is room; false if there is nothing to submit.
    ///
    /// Unwanted jobs make room. O(log n).
    func offerNext() -> Bool {
        guard isOpen, let next = machine.next as? Entry, let order = next.order else {
            return false
        }
        if queue.hasRoom(for: order.urgency.priority) {
            submit(next, order, from: source)
        } else if let unwanted = machine.table.leftOver.first {
            send(.displaced(unwanted))
        } else if machine.hasNewlyWaiting {
            send(.noRoom(jobs: queue.count))
        } else {
            return false
        }
        return true
    }

    /// Submits an entry's work to the queue.
    private func submit<Source: LoadSource>(
        _ entry: Entry, _ order: LoadOrder, from source: Source
    ) where Source.Key == Key, Source.Value == Value {
        let kind = source.kind(of: entry.key)
        guard entry.stage == .nothing, let fetch = source.fetch(entry.key) else {
            send(.offered(entry, nil))
            let job = LoadJob(of: entry, kind, in: self)
            queue.submit(
                entry.key, priority: order.urgency.priority, rank: order.turn, onEnd: job.end,
                job.run)
            return
        }
        guard fetches.canRun(fetch) else {
            return fail(entry, failure(of: entry.key, LoadError.needsPool))
        }
        let cost = fetches.expectedCost(of: fetch, kind)
        if let unwanted = machine.table.leftOver.first,
            fetches.needsPlace(of: unwanted, for: fetch, running: machine.table.sums.fetching)
        {
            send(.displaced(unwanted))
        }
        send(.offered(entry, .init(cost: cost, isOperation: fetch.isOperation)))
        let job = LoadJob(of: entry, kind, in: self)
        fetches.submit(fetch, cost, of: job, key: entry.key, at: order, from: source)
    }

    /// Returns whether a fetch that nobody wants any more is so nearly there that it goes on, after all
    /// that is wanted.
    ///
    /// That holds if most of it is done, by its time or its own account: it saves time where a list
    /// returns. Its result waits until it is wanted again, or its place is needed. A load on the loop
    /// is begun anew.
    func isNearlyThere(_ entry: Entry) -> Bool {
        guard let least = configuration.nearlyDone else { return false }
        guard entry.isFetching else { return entry.stage == .fetched }
        if entry.job?.isOperation == true, let share = entry.operation?.share {
            return share >= least
        }
        let learned = fetches.expectedCost(of: source.kind(of: entry.key))
        guard let start = queue.workStart(of: entry.key),
            let cost = learned ?? fetches.usualCost?.mean, cost > .zero
        else { return false }
        return start.duration(to: queue.clock.now) / cost >= least
    }

    /// Cancels an entry's job.
    ///
    /// A worker that has begun its fetch finishes it, and the list for which it was begun is
    /// charged for it.
    func withdraw(_ entry: Entry) {
        if entry.isFetching, let job = entry.job, !job.isOperation,
            let start = queue.workStart(of: entry.key)
        {
            let cost = max(job.fetchCost, start.duration(to: queue.clock.now))
            send(.fetchAbandoned(entry, cost))
        }
        queue.cancel(entry.key)
    }

    /// Fails a fetch that has reached its time limit, also if it is waiting for workers that make
    /// no progress.
    func checkFetch(_ entry: Entry, due: Instant) {
        guard let job = entry.job, job.isFetching, let limit = configuration.fetchTimeout
        else { return }
        let start = fetches.start(
            of: entry.key, isOperation: job.isOperation, submitted: due - limit)
        let end = start.advanced(by: limit)
        guard end <= queue.clock.now else { return send(.fetchGoesOn(entry, until: end)) }
        queue.cancel(entry.key)  // takes the result if it has arrived just now
        guard entry.stage == .nothing else { return }
        fail(entry, failure(of: entry.key, LoadError.timedOut(limit: limit)))
    }
}
