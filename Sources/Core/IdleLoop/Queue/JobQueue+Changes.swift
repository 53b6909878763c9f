// Changing and cancelling jobs, and how jobs end.
extension JobQueue {
    @usableFromInline
    func priority(at slot: Int) -> Priority { jobs.value[slot].priority }

    @usableFromInline
    func isRunning(_ slot: Int) -> Bool { jobs.value.running == slot }

    /// Returns the slot of the job with this hash that satisfies `fits`.
    @usableFromInline
    func slot(of hash: UInt32, where fits: (Int) -> Bool) -> Int? {
        jobs.value.index.slot(of: hash, where: fits)
    }

    /// The slots of all jobs, including the running one.
    var slots: [Int] { jobs.value.waiting + (jobs.value.running.map { [$0] } ?? []) }

    /// The identifiers of all jobs, including the running one.
    var ids: [JobTable.ID] { slots.map { jobs.value.id(at: $0) } }

    func contains(_ id: JobTable.ID) -> Bool { jobs.value.contains(id) }

    /// Returns whether a slot holds the job of this number, or that job follows the one in the
    /// slot.
    func has(_ number: UInt64, at slot: Int) -> Bool {
        guard let job = jobs.value.job(at: slot) else { return false }
        return job.order.sequence == number
            || slot == jobs.value.running && follower.value?.job.order.sequence == number
    }

    @usableFromInline
    func reprioritize(_ slot: Int, priority: Priority, rank: Int) {
        let order = WorkOrder(
            priority: priority, rank: rank, sequence: jobs.value[slot].order.sequence)
        guard order != jobs.value[slot].order else { return }
        jobs.value.update(slot) { $0.order = order }
        reorderOffLoopWork(slot)
    }

    /// Gives a job's work off the loop the same order in its pool as the job has here.
    func reorderOffLoopWork(_ slot: Int) {
        guard !jobs.value[slot].hasArrived, let offLoopWork = jobs.value.offLoopWork(of: slot),
            let ticket = offLoopWork.ticket
        else { return }
        offLoopWork.pool.reorder(ticket, jobs.value[slot].order)
    }

    /// Returns the time at which a worker began the part of a job that runs off the loop; nil if
    /// none has, or if the loop has taken its outcome.
    @usableFromInline
    func workStart(at slot: Int) -> Instant? {
        guard !jobs.value[slot].hasArrived, let offLoopWork = jobs.value.offLoopWork(of: slot),
            let ticket = offLoopWork.ticket
        else { return nil }
        return offLoopWork.pool.start(of: ticket)
    }

    /// Cancels a job; returns false if it's running and was cancelled before.
    @usableFromInline
    func cancel(_ slot: Int) -> Bool {
        guard slot == jobs.value.running else {
            end(slot, .cancelled)
            return true
        }
        guard !isRunningCancelled || follower.value != nil else { return false }
        cancelRunning()?.tell(.cancelled)
        return true
    }

    func cancelAll() {
        cancel(ids)
    }

    /// Cancels jobs, the oldest first, and returns their number; jobs that their callbacks submit
    /// are kept.
    ///
    /// All of them leave the queue before any callback is called or any work is cancelled.
    @discardableResult
    func cancel(_ ids: [JobTable.ID]) -> Int {
        let running = jobs.value.running.map { jobs.value.id(at: $0) }
        let all = jobs.value.oldestFirst(ids.filter { jobs.value.contains($0) && $0 != running })
        var count = 0
        var follower: JobParts?
        if let running, ids.contains(running) {
            if !isRunningCancelled || self.follower.value != nil { count += 1 }
            follower = cancelRunning()
        }
        // Checked again: a key that is released may call back.
        var parts = Buffer<JobParts>()
        for id in all where jobs.value.contains(id) {
            parts.append(takeOut(id.index, as: .cancelled))
        }
        count += parts.count
        if jobs.value.running == nil { disarm() }
        for index in 0..<parts.count { callOff(parts[index]) }
        for index in 0..<parts.count { tell(parts[index], .cancelled) }
        follower?.tell(.cancelled)
        if count > 0 { loop.wantIdle() }  // for callers that wait for room
        return count
    }

    /// Cancels further slices of the running job; returns the request that waited for its end,
    /// which is counted as accepted and cancelled.
    private func cancelRunning() -> JobParts? {
        isRunningCancelled = true
        guard let follower = follower.value.take() else { return nil }
        counts.value.accepted += 1
        counts.value.cancelled += 1
        return follower.parts
    }

    /// Removes a job from the table, cancels its work off the loop, and calls back.
    func end(_ slot: Int, _ end: JobEnd) {
        let parts = takeOut(slot, as: end)
        if jobs.value.running == nil { disarm() }
        callOff(parts)
        tell(parts, end)
        loop.wantIdle()  // for callers that wait for room
    }

    /// Cancels a job's work off the loop.
    func callOff(_ parts: borrowing JobParts) {
        if let offLoopWork = parts.offLoopWork, let ticket = offLoopWork.ticket,
            case .success(let output)? = offLoopWork.pool.cancel(ticket)
        {
            offLoopWork.output = output
        }
    }

    /// Removes a job from the table, and counts its end.
    func takeOut(_ slot: Int, as end: JobEnd) -> JobParts {
        let parts = jobs.value.remove(slot)
        count(end)  // before any release or call, so that the counts always agree
        forget?(slot)
        return parts
    }

    func count(_ end: JobEnd) {
        switch end {
        case .done: counts.value.done += 1
        case .skipped: counts.value.skipped += 1
        case .failed: counts.value.failed += 1
        case .cancelled: counts.value.cancelled += 1
        case .dropped: counts.value.dropped += 1
        }
    }

    /// Calls back for a job that has been removed and counted.
    func tell(_ parts: borrowing JobParts, _ end: JobEnd) {
        if let offLoopWork = parts.offLoopWork, let output = offLoopWork.output {
            _ = offLoopWork.then(output)  // the work is done: the caller may keep its result
        }
        parts.tell(end)
    }
}
