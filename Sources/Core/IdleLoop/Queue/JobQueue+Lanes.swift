internal import LullLibC

// Jobs that may run anywhere, on their way to lanes and back.
extension JobQueue: LaneClient {
    /// Returns whether jobs may run on lanes, once the loop has some.
    func openLanes() -> Bool {
        guard lanes == nil else { return true }
        let most = configuration.lanes.most ?? (loop.clock.isVirtual ? 0 : .max)
        guard most > 0, isOpen else { return false }
        lanes = try? loop.queueLanes as? Lanes ?? Lanes(on: loop)
        lanes?.add(self, limit: most)
        return lanes != nil
    }

    /// Whether lanes take the running job: they have called for it, or all of them make progress.
    var hasLanes: Bool {
        guard openLanes(), let lanes else { return false }
        return machine.isCalled ? lanes.inUse > 0 : !lanes.needsLoop
    }

    /// Whether lanes have room for the running job: they have called for it, or nothing waits for them
    /// that leaves no room.
    var lanesHaveRoom: Bool { machine.isCalled || lanes?.hasRoom == true }

    /// Lets lanes go on with the running job, whose body is called again when `body` has returned
    /// `done`.
    func continueAnywhere(_ body: sending @escaping Job.Body) {
        machine.leave(LaneRun(body, slice: slice))
    }

    /// Lets lanes run all of a job, if there are any.
    func giveToLanes(_ job: inout DetachedJob) {
        guard openLanes(), let body = job.parts.body.take() else { return }
        job.parts.laneRun = LaneRun(body, slice: slice)
        job.job.isAnywhere = true
    }

    /// Offers what may run anywhere to lanes.
    @inline(__always)
    func fillLanes() {
        if let lanes, machine.table.nextForLanes != nil { lanes.fill() }
    }

    var isCalling: Bool { machine.table.isCalling }

    var takesAnywhere: Bool {
        get { machine.table.takesAnywhere }
        set { machine.table.takesAnywhere = newValue }
    }

    var nextForLanes: HeapOrder? {
        guard isInMode, !isCalling || !machine.table.nextIsUnbegun else { return nil }
        return machine.table.nextForLanes?.order
    }

    func leave() -> LaneRun? {
        guard let slot = machine.table.nextForLanes?.slot else { return nil }
        guard !machine.table.nextIsUnbegun else {
            machine.table.callNext()
            loop.wantIdle()
            return nil
        }
        let run = machine.table.leave(slot)
        unsafe (run.client, run.slot) = (self, slot)
        return run
    }

    /// Returns the slot of the job of a run that has left; nil if it has ended since.
    private func slot(of run: LaneRun) -> Int? {
        let slot = unsafe run.slot
        return machine.table.laneRun(of: slot) === run ? slot : nil
    }

    func readmit(_ run: LaneRun) {
        if let slot = slot(of: run) { machine.readmit(slot) }
    }

    func takeBack(_ run: LaneRun) {
        guard let slot = slot(of: run) else { return }
        machine.takeBack(slot, run, at: loop.clock.now)
        makeRoom()
    }

    func lose(_ run: LaneRun) {
        if let slot = slot(of: run) { fail(machine.table.id(at: slot), LoopError.lostInFork) }
    }

    /// Gives a job's run the place that the job has now.
    func reorderRun(_ slot: Int) {
        if let run = machine.table.laneRun(of: slot) {
            if lanes?.withdraw(run) == true {
                machine.readmit(slot)
            } else {
                run.order = machine.table[slot].order.toRun(hasBegun: true).major
            }
        }
        fillLanes()
    }
}
