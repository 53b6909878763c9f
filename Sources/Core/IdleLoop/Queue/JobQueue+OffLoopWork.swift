// Jobs with a part that runs off the loop.
extension JobQueue: OffLoopOwner {
    /// Gives a job's work off the loop the same order in its pool as the job has here.
    func reorderOffLoopWork(_ slot: Int) {
        machine.table.offLoopWork(of: slot)?.reorder(machine.table[slot].order)
    }

    /// Starts the part of a job that runs off the loop, if the job is here and has one.
    func startOffLoopWork(_ id: JobTable.ID?) {
        guard let id, machine.table.contains(id),
            let work = machine.table.offLoopWork(of: id.index)
        else { return }
        work.start(machine.table[id.index].order, of: id, in: self)
    }

    /// Lets a job run in a lull, with what its work off the loop has provided: for the rest of the job,
    /// or for a part while the work goes on.
    func provide(_ body: @escaping Job.Body, to id: JobTable.ID, isPart: Bool) {
        guard machine.table.contains(id) else { return }
        _ = machine.table.provide(body, to: id.index, isPart: isPart)
        prepareLull()
    }

    /// Ends a job whose work off the loop has failed.
    func fail(_ id: JobTable.ID, _ error: any Error) {
        guard machine.table.contains(id) else { return }
        machine.end(id.index, .failed(error))
        makeRoom()
    }
}
