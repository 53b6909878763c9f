import Laboratory
import LullTesting
import ReplayTerminal
import ReplayText

/// Runs of several contenders over several traces in one setting, trace by trace.
struct Comparison {
    let runs: [Run]
    let contenders: [Contender]

    /// The maximum number of contenders for which the table has a row for each in each trace.
    static let fewContenders = 4

    /// Returns a table of runs, trace by trace, the sum of each contender, and the verdict.
    func text(perTrace: Bool) -> String {
        (perTrace ? tableByTrace : tableByBlank) + "\n\n"
            + verdict.joined(separator: "\n")
    }

    /// The verdict in sentences.
    var verdict: [String] { ComparisonSummary(of: sums).sentences }

    /// The totals of each contender in all traces, in the order of the contenders.
    private var sums: [ComparisonSummary.Entry] {
        contenders.enumerated().map { index, contender in
            let own = runs.enumerated().filter { $0.offset % contenders.count == index }.map(
                \.element)
            return ComparisonSummary.Entry(
                policy: contender.rule.rawValue, engine: contender.engine.rawValue,
                figures: Figures(sumOf: own.map(\.outcome.figures)))
        }
    }

    private static let columns = [
        "blank row·s", "moving", "settle p95", "loads", "useful", "failed", "wasted", "late",
        "dropped", "hitch ms/s", "input p99",
    ]

    private var tableByTrace: String {
        var table = Table(["trace", "way"] + Comparison.columns)
        var previous = ""
        for run in runs {
            let name = run.scenario.trace.name
            table.add(
                [name == previous ? "" : name, "\(run.contender)"] + cells(of: run.outcome.figures))
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
        let count = Set(runs.map(\.scenario.trace.name)).count
        var table = Table(["way", "engine"] + Comparison.columns + ["never full"])
        let sorted = sums.enumerated().sorted { first, second in
            let one = first.element.figures.rank
            let other = second.element.figures.rank
            return (one.blank, one.waste, first.offset) < (other.blank, other.waste, second.offset)
        }.map(\.element)
        for sum in sorted {
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
