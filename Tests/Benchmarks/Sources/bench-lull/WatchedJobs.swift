import IdleLoop
import Logging
import LoopLogging
import LoopMetrics
import MetricsTestKit
import Workloads

/// M1 without and with metrics and a log, in turns, so that both meet the same machine.
///
/// It's CPU time, as the difference is small. The metrics are reported a hundred times as often as
/// they are by default.
func watchedJobs() throws(LoopError) {
    let names = ["lull-plain", "lull-watched"]
    for variant in TinyJobs.variants {
        var times: [[Double]] = [[], []]
        for turn in 0..<(isQuick ? 3 : 9) {
            for side in [turn % 2, 1 - turn % 2] {
                let jobs = TinyJobs(variant: variant, count: isQuick ? 1_000_000 : 4_000_000)
                times[side].append(try time(of: jobs, isWatched: side == 1))
            }
        }
        for (name, times) in zip(names, times) {
            setContender(name)
            report(
                "M1", TinyJobs(variant: variant).variant, "ns_per_job", percentile(0.5, of: times))
        }
    }
}

/// What a job takes of the CPU, in nanoseconds.
private func time(of jobs: TinyJobs, isWatched: Bool) throws(LoopError) -> Double {
    let stage = try Stage(.drive)
    defer { stage.loop.close() }
    guard isWatched else { return try time(of: jobs, on: stage) }
    var configuration = LoopMetrics.Configuration()
    configuration.period = .milliseconds(100)
    let metrics = LoopMetrics(
        of: stage.loop, configuration: configuration, factory: TestMetrics())
    let logger = Logger(label: "lull") { StreamLogHandler.standardError(label: $0) }
    let logging = LoopLogging(of: stage.loop, to: logger)
    defer {
        metrics.cancel()
        logging.cancel()
    }
    return try time(of: jobs, on: stage)
}

private func time(of jobs: TinyJobs, on stage: Stage) throws(LoopError) -> Double {
    let start = cpuTime()
    try stage.tinyJobs(jobs)
    return Double(cpuTime() - start) / Double(jobs.count)
}
