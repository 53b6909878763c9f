// The end of a loop's queues.
extension MainLoop {
    /// Shuts down all queues that are here, side by side, each as its own `shutDown` would.
    ///
    /// When the last has come to its end `completion` is called once, on the loop, with a report for
    /// each, in the queues' order, its keys in words; without a queue that is at once. The loop runs
    /// on, and what else hangs on it is left alone:
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
            queue.shutDown(within: time) { ending in
                reports[place] = ShutdownReport(of: ending, key: ending.describe)
                if !reports.contains(where: { $0 == nil }) {
                    completion(reports.compactMap(\.self))
                }
            }
        }
    }
}
