internal import ReplayText

/// The figures of a load test, as its users experienced the gallery.
///
/// They settle when all rows in view are there after a fling. Those who have waited for that for more
/// than three seconds at the end are starving; the probe asks for the server's health all the time.
struct LoadReport {
    private let rows: [(name: String, value: String)]
    /// The 99th percentiles, by the names of their rows.
    private let slowest: [(name: String, time: Duration)]

    init(_ run: LoadRun) {
        let figures = run.figures
        let settled = figures.settled.all
        let median = settled.quantile(0.5)
        let probe = run.probe.answers
        slowest = [
            ("probe_p99_ms", probe.quantile(0.99)),
            ("report_p99_ms", figures.reports.quantile(0.99)),
            ("picture_p99_ms", figures.pictures.quantile(0.99)),
            ("settle_p99_ms", settled.quantile(0.99)),
        ]
        rows = [
            ("people", "\(run.count)"),
            ("full", "\(figures.settled.users)"),
            ("starving", "\(run.starving.count)"),
            ("starving_worst_ms", milliseconds(run.starving.max() ?? .zero, 2)),
            ("scrolls", "\(figures.flings)"),
            ("flings", "\(settled.count)"),
            ("settle_p50_ms", milliseconds(median, 2)),
            ("settle_p95_ms", milliseconds(settled.quantile(0.95), 2)),
            ("settle_p99_ms", milliseconds(settled.quantile(0.99), 2)),
            ("settle_worst_ms", milliseconds(settled.worst, 2)),
            ("settle_worst_person_ms", milliseconds(figures.settled.worstMedian, 2)),
            ("settle_ratio", decimals(median > .zero ? settled.worst / median : 0, 2)),
            ("probe_count", "\(probe.count)"),
            ("probe_p50_ms", milliseconds(probe.quantile(0.5), 3)),
            ("probe_p99_ms", milliseconds(probe.quantile(0.99), 3)),
            ("probe_worst_ms", milliseconds(probe.worst, 3)),
            ("reports", "\(figures.reports.count)"),
            ("report_p99_ms", milliseconds(figures.reports.quantile(0.99), 3)),
            ("pictures", "\(figures.pictures.count)"),
            ("picture_p99_ms", milliseconds(figures.pictures.quantile(0.99), 3)),
            ("picture_bytes", "\(figures.bytes)"),
            ("refused", "\(figures.refused)"),
            ("streams_lost", "\(figures.streamsLost)"),
            ("failures", "\(figures.failures + run.probe.failures)"),
        ]
    }

    /// The figures, a line `name=value` each.
    var text: String {
        rows.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    }

    /// Returns the differences from an earlier report as text for people.
    func difference(from calm: LoadReport) -> String {
        zip(slowest, calm.slowest).map { now, before in
            let times = [before.time, now.time, now.time - before.time].map { milliseconds($0, 2) }
            return "\(now.name): \(times[0]) without it, \(times[1]) with it, \(times[2]) more"
        }.joined(separator: "\n")
    }
}
