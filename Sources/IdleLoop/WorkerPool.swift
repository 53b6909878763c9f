/// A bounded number of threads for what must not be done on the loop, most urgent first.
///
/// A place that falls free is taken at once by the most urgent of those waiting, also while the
/// loop is busy. On virtual time nothing leaves the thread: a piece of work is run inline, and its
/// result arrives when the cost it was given has passed, so that a run gives the same result twice.
///
/// Work gets here through `IdleQueue.submit(_:priority:rank:on:cost:onEnd:work:then:)`.
public final class WorkerPool: ErrandPool {
    /// How many run at once.
    package let width: Int

    private let loop: MainLoop
    private var crew: any Crew
    private var completions = SlotTable<CrewCompletion>()
    private var port: InboxPort<CrewID>?
    /// Has the loop take what a task came to, by way of the port.
    private var report: @Sendable (CrewID) -> Void = { _ in }

    /// A pool whose results arrive on `loop`; its threads start when there is work for them.
    ///
    /// Throws if the process is out of descriptors, or `closed` if the loop is.
    public init(width: Int, on loop: MainLoop) throws(LoopError) {
        precondition(width > 0, "a worker pool has at least one worker")
        guard !loop.isClosed else { throw .closed }
        self.width = width
        self.loop = loop
        switch loop.clock {
        case .monotonic: crew = try ThreadCrew(width: width)
        case .virtual(let time): crew = VirtualCrew(width: width, time: time)
        }
        let port = loop.port { [weak self] id in self?.finish(id) }
        self.port = port
        report = { port.sendAnyway($0) }
        loop.whenForked(for: self) { [weak self] () throws(LoopError) in
            try self?.reinitAfterFork()
        }
    }

    deinit {
        crew.dismiss()
        loop.whenForked(for: self, nil)
        if let port { loop.close(port) }
        loop.context.countErrands(-completions.count)
    }

    /// In a forked child: its threads are the parent's, so what was handed to them is lost.
    private func reinitAfterFork() throws(LoopError) {
        guard case .monotonic = loop.clock else { return }
        crew = try ThreadCrew(width: width)
        for id in completions.ids where completions.contains(id) {
            complete(id, with: .failure(LoopError.lostInFork))
        }
    }

    func start(
        _ order: WorkOrder, cost: Duration, work: @escaping @Sendable () throws -> any Sendable,
        completion: @escaping CrewCompletion
    ) -> ErrandTicket {
        let id = completions.insert(completion)
        loop.context.countErrands(1)
        crew.add(CrewTask(id: id, order: order, cost: cost, report: report, work: work))
        return ErrandTicket(id: id)
    }

    func start(of ticket: ErrandTicket) -> Instant? { crew.start(of: ticket.id) }

    func reorder(_ ticket: ErrandTicket, _ order: WorkOrder) {
        crew.reorder(ticket.id, order)
    }

    /// Takes work back: it doesn't start, or its result is thrown away; a result that is there
    /// already, and has only not arrived, is returned.
    func cancel(_ ticket: ErrandTicket) -> CrewOutcome? {
        guard completions.contains(ticket.id) else { return nil }
        completions.remove(at: ticket.id.index)
        loop.context.countErrands(-1)
        return crew.remove(ticket.id)
    }

    private func finish(_ id: CrewID) {
        guard completions.contains(id), let outcome = crew.remove(id) else { return }
        complete(id, with: outcome)
    }

    private func complete(_ id: CrewID, with outcome: CrewOutcome) {
        loop.context.countErrands(-1)
        completions.remove(at: id.index)(outcome)
    }
}
