internal import LullLibC

/// A limited number of worker threads for work that must not run on the loop, most urgent first.
///
/// When a worker becomes free, it takes the most urgent waiting piece of work at once, also while
/// the loop is busy. On virtual time nothing leaves the thread: a piece of work is run inline, and
/// its result arrives when its given cost has passed, so that each run gives the same result.
///
/// Work is submitted by `IdleQueue.submit(_:priority:rank:on:cost:onEnd:work:then:)`.
public final class WorkerPool {
    /// The number of pieces of work that run at once.
    public let width: Int

    let tasks: ExecutorTasks<WorkerBody>
    private let loop: MainLoop
    private let port: InboxPort<WorkerTaskID>

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
        let tasks = ExecutorTasks<WorkerBody>(on: loop.context)
        self.tasks = tasks
        port = loop.port { [weak tasks] id in tasks?.finish(id) }
        tasks.executor = try executor()
        loop.whenForked(for: self) { [weak self] () throws(LoopError) in
            try self?.reinitAfterFork()
        }
    }

    deinit {
        loop.whenForked(for: self, nil)
        loop.close(port)
    }

    private func executor() throws(LoopError) -> any JobExecutor<WorkerBody> {
        switch loop.clock {
        case .monotonic: try WorkerThreads(width: width, reportingTo: port)
        case .virtual(let time):
            LocalExecutor(
                width: width, clock: loop.clock, endsInOwnCall: true,
                later: { time.at(time.now, $0) }, report: { [port] in port.sendAnyway($0) },
                begin: { VirtualRun($0, on: time, then: $1) })
        }
    }

    /// Fails all pending work in a forked child, whose pool has none of the parent's threads.
    private func reinitAfterFork() throws(LoopError) {
        guard case .monotonic = loop.clock else { return }
        tasks.executor = try executor()
        tasks.failAll(LoopError.lostInFork)
    }
}
