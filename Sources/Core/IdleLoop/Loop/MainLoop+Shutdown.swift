// Shutting down a loop's queues.
extension MainLoop {
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
        let queues = observers.queues
        guard !queues.isEmpty else { return completion([]) }
        var reports = [ShutdownReport<String>?](repeating: nil, count: queues.count)
        for (place, queue) in queues.enumerated() {
            queue.shutDown(within: time) { shutdown in
                reports[place] = ShutdownReport(of: shutdown, key: shutdown.describe)
                if !reports.contains(where: { $0 == nil }) {
                    completion(reports.compactMap(\.self))
                }
            }
        }
    }
}
