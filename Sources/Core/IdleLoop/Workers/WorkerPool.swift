internal import LullLibC

/// A limited number of worker threads for work that must not run on the loop, most urgent first.
///
/// When a worker becomes free, it takes the most urgent waiting piece of work at once, also while
/// the loop is busy. On virtual time nothing leaves the thread: a piece of work is run inline, and
/// its result arrives when its given cost has passed, so that each run gives the same result.
///
/// Work is submitted by `IdleQueue.submit(_:priority:rank:on:cost:timeout:onEnd:work:then:)`.
public final class WorkerPool {
    /// The number of pieces of work that run at once.
    public let width: Int

    let pending: PendingWork
    private let loop: MainLoop
    private let port: InboxPort<WorkID>
    private var threads: WorkerThreads
    /// The outcomes of work that was run on virtual time, until its cost has passed.
    private var outcomes: [WorkID: Result<any Sendable, any Error>] = [:]
    private var isScheduled = false

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
        let pending = PendingWork(on: loop.context)
        self.pending = pending
        port = loop.port { [weak pending] id in pending?.arrive(id) }
        threads = try WorkerThreads(reportingTo: port)
        pending.executor = self
        loop.whenForked(for: self) { [weak self] () throws(LoopError) in
            try self?.reinitAfterFork()
        }
    }

    deinit {
        threads.dismiss()
        loop.whenForked(for: self, nil)
        loop.close(port)
    }

    /// Fails all pending work in a forked child, whose pool has none of the parent's threads.
    private func reinitAfterFork() throws(LoopError) {
        guard case .monotonic = loop.clock else { return }
        threads = try WorkerThreads(reportingTo: port)
        pending.failAll(LoopError.lostInFork)
    }

    func add(_ body: WorkerBody, _ id: WorkID, _ order: WorkOrder) {
        threads.state.withLock { $0.tasks.add(body, id, order) }
        switch loop.clock {
        case .monotonic:
            if threads.start(upTo: width, for: id) { port.sendAnyway(id) }
        case .virtual: fillSoon()
        }
    }

    // MARK: - Virtual time

    // The time's own events may not keep it.
    private func at(_ moment: Instant, _ body: @escaping (WorkerPool) -> Void) {
        guard case .virtual(let time) = loop.clock else { return }
        time.at(moment) { [weak self] in self.map(body) }
    }

    private func fillSoon() {
        guard !isScheduled else { return }
        isScheduled = true
        at(loop.clock.now) { pool in
            pool.isScheduled = false
            pool.fill()
        }
    }

    private func fill() {
        while let task = threads.state.withLock({ state in
            state.tasks.runningCount < width
                ? state.tasks.startFirst(at: loop.clock.now) : nil
        }) {
            outcomes[task.id] = Result { try task.body.work() }
            at(loop.clock.now.advanced(by: task.body.cost)) { [id = task.id] in $0.finish(id) }
        }
    }

    private func finish(_ id: WorkID) {
        guard let outcome = outcomes.removeValue(forKey: id) else { return }
        _ = threads.state.withLock { $0.tasks.finish(id, outcome) }
        port.sendAnyway(id)
        fill()
    }
}

extension WorkerPool: JobExecutor {
    func reorder(_ id: WorkID, _ order: WorkOrder) {
        threads.state.withLock { $0.tasks.reorder(id, order) }
    }

    func remove(_ id: WorkID) -> Result<Any, any Error>? {
        let removed = threads.state.withLock { $0.tasks.remove(id) }
        outcomes[id] = nil
        if case .virtual = loop.clock, removed?.isRunning == true { fillSoon() }
        return removed?.outcome?.map { $0 as Any }
    }

    func start(of id: WorkID) -> Instant? { threads.state.withLock { $0.tasks[id]?.start } }
}
