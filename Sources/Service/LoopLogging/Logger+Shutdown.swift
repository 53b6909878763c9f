#if Logging
public import IdleLoop
public import Logging

extension Logger {
    /// Logs a line for each queue that had jobs when it was shut down, with their outcomes.
    ///
    /// At most the first twenty keys of returned jobs are included.
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
#endif
