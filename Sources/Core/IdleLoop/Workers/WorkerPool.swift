internal import LullLibC

/// A limited number of worker threads for work that must not run on the loop, most urgent first.
///
/// They are threads like a queue's lanes, of the lowest priority for processor and disk, so that the
/// loop comes first; each runs whole pieces of work, which may block. When a worker becomes free, it
/// takes the most urgent waiting piece of work at once, also while the loop is busy. A worker ends
/// when it has had nothing to do for ten seconds. On virtual time nothing leaves the thread: a piece
/// of work is run inline, and its result arrives when its given cost has passed, so that each run
/// gives the same result.
///
/// Work is submitted by `IdleQueue.submit(_:priority:rank:on:cost:timeout:onEnd:work:then:)`.
public final class WorkerPool {
    /// The number of pieces of work that run at once.
    public let width: Int

    let pending: PendingWork
    let lanes: Lanes
    private let tasks: WorkerTasks

    /// Creates a pool whose results arrive on `loop`; its threads start when there is work for
    /// them.
    ///
    /// Throws an error of the system if the process is out of descriptors, or `closed` if the loop
    /// is closed. Traps if the width is less than one.
    public init(width: Int, on loop: MainLoop) throws(LoopError) {
        precondition(width > 0, "a worker pool has at least one worker")
        guard !loop.isClosed else { throw .closed }
        self.width = width
        pending = PendingWork(on: loop.context)
        lanes = try Lanes(on: loop.context, workers: width)
        tasks = WorkerTasks(pending, on: lanes, loop.context)
        pending.executor = tasks
        lanes.add(tasks, limit: width)
    }

    deinit {
        lanes.close()
    }

    func add(_ body: WorkerBody, _ id: WorkID, _ order: WorkOrder) { tasks.add(body, id, order) }
}
