internal import LullLibC

/// A limited number of worker threads for work that must not run on the loop, most urgent first.
///
/// When a worker becomes free, it takes the most urgent waiting piece of work at once, also while
/// the loop is busy. On virtual time nothing leaves the thread: a piece of work is run inline, and
/// its result arrives when its given cost has passed, so that each run gives the same result.
///
/// Work is submitted by `IdleQueue.submit(_:priority:rank:on:cost:onEnd:work:then:)`.
public final class WorkerPool: OffLoopPool {
    /// The number of pieces of work that run at once.
    public let width: Int

    private let loop: MainLoop
    private var workers: any Workers
    private var completions: CompletionTable
    private var port: InboxPort<WorkerTaskID>?
    /// A closure that reports a finished task to the loop, through the port.
    private var report: @Sendable (WorkerTaskID) -> Void = { _ in }

    /// Creates a pool whose results arrive on `loop`; its threads start when there is work for
    /// them.
    ///
    /// Throws an error of the system if the process is out of descriptors, or `closed` if the loop
    /// is closed. Traps if the width is less than one.
    public init(width: Int, on loop: MainLoop) throws(LoopError) {
        precondition(width > 0, "a worker pool has at least one worker")
        guard !loop.isClosed else { throw .closed }
        self.width = width
        self.loop = loop
        completions = CompletionTable(on: loop.context)
        switch loop.clock {
        case .monotonic: workers = try WorkerThreads(width: width)
        case .virtual(let time): workers = VirtualWorkers(width: width, time: time)
        }
        let port = loop.port { [weak self] id in self?.finish(id) }
        self.port = port
        report = { port.sendAnyway($0) }
        loop.whenForked(for: self) { [weak self] () throws(LoopError) in
            try self?.reinitAfterFork()
        }
    }

    deinit {
        workers.dismiss()
        loop.whenForked(for: self, nil)
        if let port { loop.close(port) }
    }

    /// Fails all pending work in a forked child, whose pool has none of the parent's threads.
    private func reinitAfterFork() throws(LoopError) {
        guard case .monotonic = loop.clock else { return }
        workers = try WorkerThreads(width: width)
        for id in completions.ids { completions.take(id)?(.failure(LoopError.lostInFork)) }
    }

    func start(
        _ order: WorkOrder, cost: Duration, work: @escaping @Sendable () throws -> any Sendable,
        completion: @escaping WorkerCompletion
    ) -> WorkerTaskID {
        let id = completions.add(completion)
        workers.add(WorkerTask(id: id, order: order, cost: cost, report: report, work: work))
        return id
    }

    func start(of id: WorkerTaskID) -> Instant? { workers.start(of: id) }

    func reorder(_ id: WorkerTaskID, _ order: WorkOrder) {
        workers.reorder(id, order)
    }

    /// Cancels work: it doesn't start, or its result is discarded; returns the result if it's
    /// finished and has not arrived.
    func cancel(_ id: WorkerTaskID) -> WorkerOutcome? {
        completions.take(id) == nil ? nil : workers.remove(id)
    }

    private func finish(_ id: WorkerTaskID) {
        if let outcome = workers.remove(id) { completions.take(id)?(outcome) }
    }
}
