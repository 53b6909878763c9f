import IdleLoop
import Laboratory
import LullTesting
import ReplayText

extension Run {
    /// The figures in words, with the failures.
    var summary: String {
        let figures = outcome.figures
        var lines = [
            "\(plan.scenario.trace.name): \(plan.contender.rule.rawValue), "
                + "\(plan.contender.engine.rawValue), \(plan.title), \(plan.scenario.hz) Hz, "
                + "seed \(plan.options.seed)"
        ]
        func line(_ name: String, _ text: String) {
            lines.append("  " + name.padded(to: 8) + text)
        }
        line(
            "blank",
            "\(seconds(figures.blank)) row·s "
                + "(moving \(seconds(figures.blankMoving)), resting \(seconds(figures.blankResting)))"
        )
        let settles = figures.settles
        line(
            "settle",
            "p50 \(milliseconds(Figures.percentile(50, of: settles))) ms, "
                + "p95 \(milliseconds(Figures.percentile(95, of: settles))) ms, "
                + "max \(milliseconds(settles.last ?? .zero)) ms over \(figures.rests) rests, "
                + "\(figures.settleNever) never full")
        line(
            "loads",
            "\(figures.loadsStarted) started, \(figures.loadsFinished) finished, "
                + "\(figures.loadsUseful) useful, \(figures.loadsFailed) failed; "
                + "\(percent(figures.wasteShare)) of \(milliseconds(figures.loadCost)) ms wasted")
        line(
            "frames",
            "\(figures.framesShown) shown, \(figures.framesLate) late, "
                + "\(figures.framesDropped) dropped; hitch \(decimals(figures.hitchRatio, 1)) ms/s")
        let delays = figures.inputDelays
        line(
            "input",
            "delay p50 \(milliseconds(Figures.percentile(50, of: delays))) ms, "
                + "p99 \(milliseconds(Figures.percentile(99, of: delays))) ms, "
                + "max \(milliseconds(delays.last ?? .zero)) ms")
        let queue = figures.queue
        line(
            "queue",
            "\(queue.accepted) accepted, \(queue.done + queue.skipped) done, "
                + "\(queue.failed) failed, \(queue.cancelled) cancelled, "
                + "\(queue.dropped) dropped; longest \(queue.longest)")
        if let wakeups = outcome.quietWakeups {
            line("asleep", "\(wakeups) wake-ups once all was done")
        }
        if !outcome.unsettled.isEmpty {
            line("missing", "\(outcome.unsettled.count) rows on screen at the end")
        }
        for failure in failures {
            line("failed", "row \(failure.row): \(failure.reason)")
        }
        return lines.joined(separator: "\n")
    }
}

/// A table of text: the first two columns aligned left, figures aligned right.
struct Table {
    private var rows: [[String]]
    private var rules: Set<Int> = []

    init(_ titles: [String]) {
        rows = [titles]
        rules = [1]
    }

    mutating func add(_ cells: [String]) { rows.append(cells) }
    mutating func addRule() { rules.insert(rows.count) }

    var rendered: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines: [String] = []
        for (index, row) in rows.enumerated() {
            if rules.contains(index) {
                lines.append(String(repeating: "─", count: widths.reduce(-2) { $0 + $1 + 2 }))
            }
            let cells = row.enumerated().map { column, cell in
                column < 2 ? cell.padded(to: widths[column]) : cell.right(to: widths[column])
            }
            lines.append(cells.joined(separator: "  "))
        }
        return lines.joined(separator: "\n")
    }
}
