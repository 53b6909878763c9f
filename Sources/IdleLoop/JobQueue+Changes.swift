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

    @usableFromInline
    func cancel(_ slot: Int) {
        if slot == jobs.running {
            cancelRunning()
        } else {
            end(remove(slot), .cancelled)
        }
    }

    func cancelAll() {
        cancel(slots)
    }

    /// Takes jobs back, the oldest first; what their callbacks hand in stays.
    func cancel(_ slots: [Int]) {
        if let running = jobs.running, slots.contains(running) { cancelRunning() }
        let slots = slots.filter { $0 != jobs.running }
        let all = jobs.oldestFirst(slots).map { remove($0) }
        statistics.cancelled += all.count  // before any callback, so that the counts always agree
        for parts in all { tell(parts, .cancelled) }
    }

    private func cancelRunning() {
        guard jobs.running != nil else { return }
        isRunningCancelled = true
        takeSuccessor()?.job.parts.onEnd?(.cancelled)
    }

    /// Takes a job out of the table, and its work off the workers.
    func remove(_ slot: Int) -> JobParts {
        let parts = jobs.remove(slot).parts
        forget?(slot)
        statistics.waiting = jobs.count
        if let errand = parts.errand, let ticket = errand.ticket,
            case .success(let output)? = errand.pool.cancel(ticket)
        {
            errand.output = output
        }
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
        parts.onEnd?(end)
    }
}
