public import DeferredLoading
internal import IdleLoop
public import LullTesting
public import ScrollModel

/// The rule P20, which knows beforehand where the list will rest, and for how long.
///
/// The rows of the current rest are wanted first, then those of the next, and so on, then visible
/// rows, first come first served. Among the rows of one rest, those that other rests show for
/// longest go first. Rows between rests have to wait, which shows how little a rule gains that only
/// knows where a fling lands. It is no bound for other rules, and knows no limit of memory; the
/// bound is `Oracle`.
public struct RestOracle: LoadingPolicy {
    private struct Rest {
        let end: Instant
        var rows: [Int]
    }

    private let rests: [Rest]
    private var current = 0
    private var visible = ListRule.visible

    /// Creates the rule for the rests of a trace in a list: 100 ms and more at one offset.
    public init(of trace: Trace, in list: Viewport, options: ReplayOptions) {
        let path = OffsetPath(of: trace, in: list, scroller: options.scroller)
        let schedule = FrameSchedule(along: path, options: options)
        let offsets = (0..<max(0, schedule.last + 1)).map { path.offset(at: schedule.due($0)) }
        var dwell: [Int: Duration] = [:]
        var rests: [Rest] = []
        let spans = FrameSchedule.rests(
            among: offsets.count, offset: { offsets[$0] }, due: schedule.due)
        for span in spans {
            let rows = Array(list.visibleRows(at: offsets[span.lowerBound]))
            let time = schedule.due(span.upperBound - 1) - schedule.due(span.lowerBound)
            for row in rows { dwell[row, default: .zero] += time }
            rests.append(Rest(end: schedule.due(span.upperBound), rows: rows))
        }
        self.rests = rests.map { rest in
            Rest(
                end: rest.end,
                rows: rest.rows.sorted {
                    (dwell[$1, default: .zero], $0) < (dwell[$0, default: .zero], $1)
                })
        }
    }

    /// Returns the rows of the coming rests, and the visible ones; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame, let shown = visible.wanted(after: moment, loads: loads) else {
            return nil
        }
        while current < rests.count, rests[current].end <= moment.now { current += 1 }
        var named: Set<Int> = []
        let ahead = rests[current...].flatMap(\.rows)
        let wanted = ahead.filter { named.insert($0).inserted }.enumerated().map {
            Wanted($1, urgency: .landing, rank: $0)
        }
        return wanted
            + shown.filter { !named.contains($0.key) }.map {
                Wanted($0.key, urgency: .approach, rank: $0.rank)
            }
    }
}
