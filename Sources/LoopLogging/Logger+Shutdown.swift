public import IdleLoop
public import Logging

extension Logger {
    /// Says for each queue that had jobs when it was shut down what became of them, in a line.
    ///
    /// Of the keys given back at most the first twenty are named.
    public func log(_ reports: [ShutdownReport<String>]) {
        for report in reports {
            let (finished, failed) = (report.finished.count, report.failed.count)
            let returned = report.returned.count
            guard finished + failed + returned > 0 else { continue }
            log(
                level: returned == 0 ? .info : .warning, "queue shut down",
                metadata: [
                    "queue": "\(report.queue)", "finished": "\(finished)", "failed": "\(failed)",
                    "returned": "\(returned)",
                    "keys": .array(report.returned.prefix(20).map { .string($0) }),
                ])
        }
    }
}
