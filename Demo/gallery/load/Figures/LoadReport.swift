internal import ReplayText

/// The figures of a load test, as its users experienced the gallery.
struct LoadReport {
    private let rows: [(name: String, value: String, meaning: String)]
    /// The 99th percentiles, by the names of their rows.
    private let slowest: [(name: String, time: Duration)]

    init(_ run: LoadRun) {
        let figures = run.figures
        slowest = [
            ("probe_p99_ms", run.probe.answers.quantile(0.99)),
            ("report_p99_ms", figures.reports.quantile(0.99)),
            ("picture_p99_ms", figures.pictures.quantile(0.99)),
            ("settle_p99_ms", figures.settled.all.quantile(0.99)),
        ]
        let settled = figures.settled.all
        let median = settled.quantile(0.5)
        rows = [
            ("people", "\(run.count)", "who scroll"),
            ("full", "\(figures.settled.users)", "of them had all in view at some time"),
            ("starving", "\(run.starving.count)", "wait for more than 3 s at the end"),
            (
                "starving_worst_ms", milliseconds(run.starving.max() ?? .zero, 2),
                "the longest of these waits"
            ),
            ("scrolls", "\(figures.flings)", "flings that came to rest, since the start"),
            ("flings", "\(settled.count)", "that came to rest and were seen whole"),
            ("settle_p50_ms", milliseconds(median, 2), "from rest until all in view is there"),
            ("settle_p95_ms", milliseconds(settled.quantile(0.95), 2), ""),
            ("settle_p99_ms", milliseconds(settled.quantile(0.99), 2), ""),
            ("settle_worst_ms", milliseconds(settled.worst, 2), ""),
            (
                "settle_worst_person_ms", milliseconds(figures.settled.worstMedian, 2),
                "the median of whoever has it worst"
            ),
            (
                "settle_ratio", decimals(median > .zero ? settled.worst / median : 0, 2),
                "the worst, over the median"
            ),
            ("probe_count", "\(run.probe.answers.count)", "questions after the server's health"),
            ("probe_p50_ms", milliseconds(run.probe.answers.quantile(0.5), 3), "until the answer"),
            ("probe_p99_ms", milliseconds(run.probe.answers.quantile(0.99), 3), ""),
            ("probe_worst_ms", milliseconds(run.probe.answers.worst, 3), ""),
            ("reports", "\(figures.reports.count)", "of where lists are"),
            ("report_p99_ms", milliseconds(figures.reports.quantile(0.99), 3), ""),
            ("pictures", "\(figures.pictures.count)", "fetched"),
            ("picture_p99_ms", milliseconds(figures.pictures.quantile(0.99), 3), ""),
            ("picture_bytes", "\(figures.bytes)", ""),
            ("refused", "\(figures.refused)", "pages for which there was no room"),
            ("streams_lost", "\(figures.streamsLost)", ""),
            (
                "failures", "\(figures.failures + run.probe.failures)",
                "answers that should be others"
            ),
        ]
    }

    /// The figures as a table for people.
    var table: String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            row.name.padded(to: width) + row.value.right(to: 12)
                + (row.meaning.isEmpty ? "" : "  " + row.meaning)
        }.joined(separator: "\n")
    }

    /// Returns the differences from an earlier report as text for people.
    func difference(from calm: LoadReport) -> String {
        zip(slowest, calm.slowest).map { now, before in
            let times = [before.time, now.time, now.time - before.time].map { milliseconds($0, 2) }
            return "\(now.name): \(times[0]) without it, \(times[1]) with it, \(times[2]) more"
        }.joined(separator: "\n")
    }

    /// The figures as lines `name=value`, for scripts.
    var plain: String {
        rows.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    }
}
