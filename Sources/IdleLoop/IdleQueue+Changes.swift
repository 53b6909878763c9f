// Changing one's mind, and how jobs end.
extension IdleQueue {
    /// Gives the key's job another urgency and rank; false if it has none here.
    ///
    /// A job that has begun keeps its turn, and one off the loop changes its place there too.
    /// O(log n).
    @discardableResult
    public func reprioritize(_ key: Key, urgency: Urgency, rank: Int = 0) -> Bool {
        guard let slot = jobs.slot(of: key) else { return false }
        update(slot) { job in
            job.urgency = urgency
            job.rank = rank
        }
        return true
    }

    func update(_ slot: Int, _ change: (inout Job<Key>) -> Void) {
        jobs.update(slot, change)
        if let errand = jobs[slot].errand, let ticket = errand.ticket {
            errand.pool.reorder(ticket, jobs[slot].order)
        }
    }

    /// Takes the key's job back; false if it has none here.
    ///
    /// From inside the job's own run it means: no further slice. O(log n).
    @discardableResult
    public func cancel(_ key: Key) -> Bool {
        guard let slot = jobs.slot(of: key) else { return false }
        if slot == jobs.running {
            cancelRunning()
        } else {
            end(remove(slot), .cancelled)
        }
        return true
    }

    /// Takes back every job that is there now, the oldest first.
    ///
    /// What their callbacks hand in is not taken back. O(n log n).
    public func cancelAll() {
        cancelRunning()
        cancel(slots: jobs.oldestFirst)
    }

    /// Takes back every job whose key fits, the oldest first, and says how many there were.
    ///
    /// It looks at every key, O(n), and takes O(log n) for each that fits. What the callbacks hand
    /// in is not taken back.
    @discardableResult
    public func cancel(where fits: (Key) throws -> Bool) rethrows -> Int {
        var slots = try jobs.keys.filter(fits).compactMap { jobs.slot(of: $0) }
        var count = slots.count
        if let running = jobs.running, try fits(jobs[running].key) {
            cancelRunning()
            count += 1
        }
        slots.sort { jobs[$0].sequence < jobs[$1].sequence }
        cancel(slots: slots)
        return count
    }

    private func cancel(slots: [Int]) {
        let all = slots.map { remove($0) }
        statistics.cancelled += all.count  // before any callback, so that the counts always agree
        for job in all { tell(job, .cancelled) }
    }

    private func cancelRunning() {
        guard jobs.running != nil else { return }
        isRunningCancelled = true
        successor.take()?.onEnd?(.cancelled)
    }

    /// Takes a job out of the table, and its work off the workers.
    func remove(_ slot: Int) -> Job<Key> {
        let job = jobs.remove(slot)
        statistics.waiting = jobs.count
        if let errand = job.errand, let ticket = errand.ticket,
            case .success(let output)? = errand.pool.cancel(ticket)
        {
            errand.output = output
        }
        return job
    }

    func end(_ job: Job<Key>, _ end: JobEnd) {
        switch end {
        case .done: statistics.done += 1
        case .skipped: statistics.skipped += 1
        case .failed: statistics.failed += 1
        case .cancelled: statistics.cancelled += 1
        case .dropped: statistics.dropped += 1
        }
        tell(job, end)
    }

    /// Calls back for a job that has been taken out and counted.
    func tell(_ job: Job<Key>, _ end: JobEnd) {
        if let errand = job.errand, let output = errand.output {
            _ = errand.then(output)  // it was paid for: whoever made the job may keep it
        }
        job.onEnd?(end)
    }
}

extension IdleQueue where Key: StringProtocol {
    /// Takes back every job whose key begins so, the oldest first, and says how many there were:
    /// all thumbnails below a folder, say, when its disk goes away.
    ///
    /// O(n), and O(log n) for each that fits.
    @discardableResult
    public func cancel(prefix: some StringProtocol) -> Int {
        cancel { $0.hasPrefix(prefix) }
    }
}
