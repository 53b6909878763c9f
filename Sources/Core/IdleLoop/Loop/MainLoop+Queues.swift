// The queues that work in a loop's lulls.
extension MainLoop {
    private var queues: [JobQueue] { turn.workers.all.compactMap { $0 as? JobQueue } }

    /// Adds a queue, which works before idle until it is closed.
    func add(_ queue: JobQueue, order: Int) {
        let configuration = queue.configuration
        guard turn.workers.add(queue, order: order, modes: configuration.modes, isKept: false)
        else { return }
        queue.open(as: configuration.name.isEmpty ? freeName : configuration.name)
    }

    /// A name that no other queue has, for one without a name.
    private var freeName: String {
        let taken = Set(queues.map(\.configuration.name))
        var (name, number) = ("idle queue", 1)
        while taken.contains(name) {
            number += 1
            name = "idle queue \(number)"
        }
        return name
    }

    /// Sets what is called on the loop after lanes have returned jobs, also those that have ended.
    package func whenLanesReturn(_ body: @escaping () -> Void) {
        context.whenLanesReturn = body
    }

    /// The loop's counts so far.
    public var statistics: Statistics {
        var statistics = context.state.counts
        statistics.jobs = turn.workers.jobs
        statistics.timeOnLanes = context.queueLanes?.timeWorked ?? .zero
        return statistics
    }

    /// The counts of the loop's queues by name; those that were given equal names are added, and
    /// those without a name are listed one by one.
    ///
    /// From the first call on, queues that have gone count on, which costs nothing before. A queue
    /// without a name then continues the counts of one that has gone.
    public var queueStatistics: [String: QueueStatistics] { turn.workers.queueStatistics() }

    /// Shuts down all queues of the loop in parallel, each as its own `shutDown` does.
    ///
    /// After the last has ended, `completion` is called once, on the loop, with a report for each
    /// queue, in the queues' order, with descriptions of the keys. Without a queue it is called at
    /// once. The loop keeps running, and everything else on it stays:
    ///
    /// ```swift
    /// try loop.watch(signal: SIGTERM) {
    ///     loop.shutDown(within: .seconds(10)) { reports in save(reports); loop.stop() }
    /// }
    /// ```
    public func shutDown(
        within time: Duration,
        then completion: @escaping ([ShutdownReport<String>]) -> Void = { _ in }
    ) {
        let queues = queues
        guard !queues.isEmpty else { return completion([]) }
        var reports = [ShutdownReport<String>?](repeating: nil, count: queues.count)
        for (place, queue) in queues.enumerated() {
            queue.shutDown(within: time) { shutdown in
                reports[place] = ShutdownReport(of: shutdown) { String(describing: $0) }
                if !reports.contains(where: { $0 == nil }) {
                    completion(reports.compactMap(\.self))
                }
            }
        }
    }
}
