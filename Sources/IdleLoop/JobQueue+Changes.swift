// Changing one's mind, and how jobs end.
extension JobQueue {
    @usableFromInline
    func urgency(at slot: Int) -> Urgency { jobs[slot].urgency }

    @usableFromInline
    func isRunning(_ slot: Int) -> Bool { jobs.running == slot }

    @usableFromInline
    func place(of hash: UInt32) -> Int { jobs.index.place(of: hash) }

    @usableFromInline
    func nextSlot(from place: inout Int, hash: UInt32) -> Int? {
        jobs.index.nextSlot(from: &place, hash: hash)
    }

    /// The slots of all jobs, with the one that runs.
    var slots: [Int] { jobs.waiting + (jobs.running.map { [$0] } ?? []) }

    @usableFromInline
    func reprioritize(_ slot: Int, urgency: Urgency, rank: Int) {
        let order = WorkOrder(
            urgency: urgency, rank: rank, sequence: jobs[slot].order.sequence)
        guard order != jobs[slot].order else { return }
        jobs.update(slot) { $0.order = order }
        reorderErrand(slot)
    }

    /// Gives a job's work the place among the workers that the job has here.
    func reorderErrand(_ slot: Int) {
        guard !jobs[slot].hasArrived, let errand = jobs.errand(of: slot),
            let ticket = errand.ticket
        else { return }
        errand.pool.reorder(ticket, jobs[slot].order)
    }

    /// When a worker began the part of a job that is done off the loop; nil if none has, or the loop
    /// has taken what came of it.
    @usableFromInline
    func workStart(at slot: Int) -> Instant? {
        guard !jobs[slot].hasArrived, let errand = jobs.errand(of: slot),
            let ticket = errand.ticket
        else { return nil }
        return errand.pool.start(of: ticket)
    }

    /// Takes a job back; false if it was taken back before, and runs on to its end.
    @usableFromInline
    func cancel(_ slot: Int) -> Bool {
        guard slot == jobs.running else {
            end(remove(slot), .cancelled)
            return true
        }
        guard !isRunningCancelled || successor != nil else { return false }
        cancelRunning()?.job.parts.tell(.cancelled)
        return true
    }

    func cancelAll() {
        cancel(slots)
    }

    /// Takes jobs back, the oldest first, and says how many; what their callbacks hand in stays.
    @discardableResult
    func cancel(_ slots: [Int]) -> Int {
        var count = slots.count
        var follower: Successor?
        if let running = jobs.running, slots.contains(running) {
            if isRunningCancelled, successor == nil { count -= 1 }
            follower = cancelRunning()
        }
        let others = slots.filter { $0 != jobs.running }
        let all = jobs.oldestFirst(others).map { remove($0) }
        statistics.cancelled += all.count  // before any callback, so that the counts always agree
        for parts in all { tell(parts, .cancelled) }
        follower?.job.parts.tell(.cancelled)
        return count
    }

    /// Has the job that runs have no further slice; gives the request that waited for its end.
    private func cancelRunning() -> Successor? {
        isRunningCancelled = true
        return takeSuccessor()
    }

    /// Takes a job out of the table, and its work off the workers.
    func remove(_ slot: Int) -> JobParts {
        let parts = takeOut(slot)
        if jobs.running == nil { disarm() }
        if let errand = parts.errand, let ticket = errand.ticket,
            case .success(let output)? = errand.pool.cancel(ticket)
        {
            errand.output = output
        }
        return parts
    }

    /// Takes a job out of the table.
    func takeOut(_ slot: Int) -> JobParts {
        let parts = jobs.remove(slot).parts
        forget?(slot)
        statistics.waiting = jobs.count
        return parts
    }

    func end(_ parts: JobParts, _ end: JobEnd) {
        switch end {
        case .done: statistics.done += 1
        case .skipped: statistics.skipped += 1
        case .failed: statistics.failed += 1
        case .cancelled: statistics.cancelled += 1
        case .dropped: statistics.dropped += 1
        }
        tell(parts, end)
    }

    /// Calls back for a job that has been taken out and counted.
    func tell(_ parts: JobParts, _ end: JobEnd) {
        if let errand = parts.errand, let output = errand.output {
            _ = errand.then(output)  // it was paid for: whoever made the job may keep it
        }
        parts.tell(end)
    }
}
