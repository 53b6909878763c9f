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
            ("newcomer_p99_ms", run.newcomer?.answers.quantile(0.99) ?? .zero),
            ("settle_p99_ms", figures.settled.all.quantile(0.99)),
        ]
        let settled = figures.settled.all
        let median = settled.quantile(0.5)
        rows = [
            ("people", "\(run.count)", "who scroll"),
            ("full", "\(figures.settled.users)", "of them had all in view at some time"),
            ("starving", "\(run.starving.count)", "wait for more than 3 s at the end"),
            ("flings", "\(settled.count)", "that came to rest and were seen whole"),
            ("settle_p50_ms", median.text(), "from rest until all in view is there"),
            ("settle_p95_ms", settled.quantile(0.95).text(), ""),
            ("settle_p99_ms", settled.quantile(0.99).text(), ""),
            ("settle_worst_ms", settled.worst.text(), ""),
            (
                "settle_worst_person_ms", figures.settled.worstMedian.text(),
                "the median of whoever has it worst"
            ),
            (
                "settle_ratio", (median > .zero ? settled.worst / median : 0).text(),
                "the worst, over the median"
            ),
            ("probe_count", "\(run.probe.answers.count)", "questions after the server's health"),
            ("probe_p50_ms", run.probe.answers.quantile(0.5).text(3), "until the answer"),
            ("probe_p99_ms", run.probe.answers.quantile(0.99).text(3), ""),
            ("probe_worst_ms", run.probe.answers.worst.text(3), ""),
            ("reports", "\(figures.reports.count)", "of where lists are"),
            ("report_p99_ms", figures.reports.quantile(0.99).text(3), ""),
            ("pictures", "\(figures.pictures.count)", "fetched"),
            ("picture_p99_ms", figures.pictures.quantile(0.99).text(3), ""),
            ("picture_bytes", "\(figures.bytes)", ""),
            (
                "newcomers", "\(run.newcomer?.answers.count ?? 0)",
                "thumbnails that nobody had asked for before, one at a time"
            ),
            ("newcomer_p99_ms", (run.newcomer?.answers.quantile(0.99) ?? .zero).text(3), ""),
            ("newcomer_worst_ms", (run.newcomer?.answers.worst ?? .zero).text(3), ""),
            ("refused", "\(figures.refused)", "pages for which there was no room"),
            ("streams_lost", "\(figures.streamsLost)", ""),
            (
                "failures",
                "\(figures.failures + run.probe.failures + (run.newcomer?.failures ?? 0))",
                "answers that should be others"
            ),
        ]
    }

    /// The figures as a table for people.
    var table: String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            let name = row.name + String(repeating: " ", count: width - row.name.count)
            let value = String(repeating: " ", count: max(0, 12 - row.value.count)) + row.value
            return "\(name)\(value)\(row.meaning.isEmpty ? "" : "  " + row.meaning)"
        }.joined(separator: "\n")
    }

    /// Returns the differences from an earlier report as text for people.
    func difference(from calm: LoadReport) -> String {
        zip(slowest, calm.slowest).map { now, before in
            "\(now.name): \(before.time.text()) without strangers, \(now.time.text()) with them,"
                + " \((now.time - before.time).text()) more"
        }.joined(separator: "\n")
    }

    /// The figures as lines `name=value`, for scripts.
    var plain: String {
        rows.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    }
}
