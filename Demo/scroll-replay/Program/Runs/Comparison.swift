import Laboratory
import LullTesting
import ReplayText

/// Runs of several contenders over several traces in one setting, trace by trace.
struct Comparison {
    private let runs: [Run]
    private let contenders: [Contender]
    /// The totals of each contender in all traces, in the order of the contenders.
    private let sums: [ComparisonSummary.Entry]

    init(_ runs: [Run], of contenders: [Contender]) {
        self.runs = runs
        self.contenders = contenders
        sums = contenders.enumerated().map { index, contender in
            let own = stride(from: index, to: runs.count, by: contenders.count).map { runs[$0] }
            return ComparisonSummary.Entry(
                policy: contender.rule.rawValue, engine: contender.engine.rawValue,
                figures: Figures(sumOf: own.map(\.outcome.figures)))
        }
    }

    /// The maximum number of contenders for which the table has a row for each in each trace.
    private static let fewContenders = 4

    /// Returns a table of runs, trace by trace, the sum of each contender, and the verdict.
    func text(perTrace: Bool) -> String {
        let isByTrace = perTrace || contenders.count <= Self.fewContenders
        let table = isByTrace ? tableByTrace : tableByBlank
        return table + "\n\n" + verdict.joined(separator: "\n")
    }

    /// The verdict in sentences.
    var verdict: [String] { ComparisonSummary(of: sums).sentences }

    private static let columns = [
        "blank row·s", "moving", "settle p95", "loads", "useful", "failed", "wasted", "late",
        "dropped", "hitch ms/s", "input p99",
    ]

    private var tableByTrace: String {
        var table = Table(["trace", "way"] + Comparison.columns)
        var previous = ""
        for run in runs {
            let name = run.plan.scenario.trace.name
            table.add(
                [name == previous ? "" : name, "\(run.plan.contender)"]
                    + cells(of: run.outcome.figures))
            previous = name
        }
        table.addRule()
        for (index, sum) in sums.enumerated() {
            table.add([index == 0 ? "all" : "", "\(contenders[index])"] + cells(of: sum.figures))
        }
        return table.rendered
    }

    /// The table of sums, sorted by blank.
    private var tableByBlank: String {
        let count = Set(runs.map(\.plan.scenario.trace.name)).count
        var table = Table(["way", "engine"] + Comparison.columns + ["never full"])
        for sum in sums.ranked {
            table.add(
                [sum.policy, sum.engine] + cells(of: sum.figures) + ["\(sum.figures.settleNever)"])
        }
        return "\(count) traces, sums over all, least blank first\n\n" + table.rendered
    }

    private func cells(of figures: Figures) -> [String] {
        [
            seconds(figures.blank), seconds(figures.blankMoving),
            milliseconds(Figures.percentile(95, of: figures.settles)) + " ms",
            "\(figures.loadsFinished)", "\(figures.loadsUseful)", "\(figures.loadsFailed)",
            percent(figures.wasteShare), "\(figures.framesLate)", "\(figures.framesDropped)",
            decimals(figures.hitchRatio, 1),
            milliseconds(Figures.percentile(99, of: figures.inputDelays)) + " ms",
        ]
    }
}
