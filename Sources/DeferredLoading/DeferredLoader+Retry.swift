internal import IdleLoop

// Failures, and trying again.
extension DeferredLoader {
    /// Tries a key again that has failed, at once, as if for the first time: somebody has asked.
    ///
    /// If nobody wants it, it's tried when somebody does. False if it has not failed.
    @discardableResult
    public func retry(_ key: Key) -> Bool {
        guard let entry = table[key], entry.life.stage == .failed else { return false }
        perform {
            entry.failures = 0
            tryAgain(entry, "it was asked for")
        }
        return true
    }

    /// Forgets a key's value or failure because what it stands for has changed.
    ///
    /// If it's wanted it is loaded anew; a result that was on its way is thrown away.
    public func invalidate(_ key: Key) {
        guard let entry = table[key] else { return }
        perform {
            note(entry, .invalidated)
            entry.failures = 0
            entry.mostBytes = 0
            startOver(entry)
        }
    }

    /// Settles a key without loading it here: with a value that was kept from an earlier run, say.
    ///
    /// A load of the key that waits or was begun is taken back.
    public func settle(_ key: Key, _ result: Result<Value, any Error>) {
        guard isOpen else { return }
        perform {
            if let entry = table[key] { startOver(entry) }
            guard isOpen else { return }
            let entry = table.entry(of: key, generation: tick())
            finish(entry, result)
        }
    }

    /// Throws away what was done of a key, and what is on its way.
    private func startOver(_ entry: Entry) {
        entry.generation = tick()
        if entry.isFetching { entry.isFetching = false }
        clear(entry)
        handle(.reset, entry)
    }

    private func tryAgain(_ entry: Entry, _ reason: String) {
        note(entry, .retried, reason)
        clear(entry)
        handle(.reset, entry)
    }

    /// Decides when a key that has failed is tried again.
    func planRetry(of entry: Entry, after error: any Error) {
        let (failures, since) = (entry.failures, entry.since)
        let delay: Duration?
        switch source.retry(entry.key, after: error, failures: failures) {
        case .never: delay = nil
        case .later:
            delay = configuration.backoff.delay(afterFailures: failures, using: &random)
        case .after(let time): delay = max(.zero, time)
        }
        // It was asked something, and may have had the key tried again itself.
        guard !entry.isGone, entry.life.stage == .failed, entry.since == since, let delay
        else { return }
        entry.deadline = queue.clock.now.advanced(by: delay)
        note(
            entry, .retrying(at: entry.deadline, failures: failures),
            "the trouble may pass; waits grow with each failure")
        changed(entry)
    }

    /// Arms the one timer for what is due first: a wanted key's next try, a fetch's last moment.
    func armTimer() {
        let next = table.nextDeadline?.instant
        guard next != timer?.instant else { return }
        timer?.id.cancel()
        timer = nil
        guard let next, isOpen, !queue.loop.isClosed else { return }
        let id = queue.loop.schedule(at: next) { [weak self] in self?.timerFired() }
        timer = (id, next)
    }

    private func timerFired() {
        timer = nil
        perform {
            let now = queue.clock.now
            while isOpen, let (instant, entry) = table.nextDeadline, instant <= now {
                if entry.life.stage == .failed {
                    tryAgain(entry, "try \(entry.failures + 1)")
                } else {
                    checkFetch(entry, at: now)
                }
            }
        }
    }

    /// Has a fetch fail that takes too long, or whose workers all do.
    private func checkFetch(_ entry: Entry, at now: Instant) {
        guard let limit = configuration.fetchTimeout else { return }
        // An operation that is taken back leaves its place to the next, a worker works on.
        let begun = queue.workStart(of: entry.key) ?? (entry.fetchesByItself ? now : nil)
        let start = begun ?? max(fetchesMoved, entry.deadline.minus(limit))
        entry.deadline = start.advanced(by: limit)
        guard entry.deadline <= now else { return changed(entry) }
        queue.cancel(entry.key)  // which takes the result if it has come just now
        guard !entry.isGone, entry.life.stage == .nothing else { return }
        finish(entry, .failure(FetchTimedOut(limit: limit)))
    }
}

extension Instant {
    fileprivate func minus(_ duration: Duration) -> Instant { advanced(by: .zero - duration) }
}
