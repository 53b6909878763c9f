public import DeferredLoading
internal import IdleLoop
public import LullTesting
internal import ReplayText
public import ScrollModel

/// The rule `oracle`, which knows the trace and the cost of every row beforehand.
///
/// No rule that has to predict can be expected to leave less blank; it is a bound for comparison.
/// It computes one plan for the whole trace, before the first frame, as if all jobs were whole
/// ones, and follows it: rows in the order of the plan, without those that will not be visible any
/// more.
///
/// If the memory is limited, a row is planned once for each of its stays in view. The first rows of
/// the plan whose stays are not over are wanted, as many as there is room for, so that those which
/// are loaded are kept. The plan is the result of a search, not a proven minimum: with less room
/// than for two screens, another rule may leave less blank.
public struct Oracle: LoadingPolicy {
    /// The number of rows of the plan that are wanted at once, if the memory is not limited.
    private static let ahead = 64

    /// The rows in the order of loading, with the ends of the stays for which they are loaded.
    private let plan: [(row: Int, end: Instant)]
    private let memory: Int?
    private var done = 0

    /// Creates the oracle for a replay of a trace in a list.
    public init(of trace: Trace, in list: Viewport, options: ReplayOptions, work: (any RowWork)?) {
        let path = OffsetPath(of: trace, in: list, scroller: options.scroller)
        let schedule = FrameSchedule(along: path, options: options)
        var view = OracleView(of: path, in: list, at: schedule, splitsStays: false)
        // A memory for all rows that will be seen is no limit.
        memory = view.rows.count > options.limits.capacity ? options.limits.capacity : nil
        if memory != nil {
            view = OracleView(of: path, in: list, at: schedule, splitsStays: true)
        }
        let clock = OracleClock(
            schedule, entering: view.entering, inputs: trace.events.map(\.time.nanoseconds),
            options: options)
        let work = work ?? DrawnWork(base: options.cost, seed: options.seed)
        var start = list
        start.scroll(to: path.offset(at: .zero))
        let plan = OraclePlan(
            view, clock, options: options, memory: memory,
            loaded: options.isWarm ? start.visibleRows : RowSet(0..<0)
        ) { work.costHint(ofRow: $0) ?? options.cost * 4 }
        self.plan = plan.entries.map { (view.rows[$0].number, schedule.due(view.rows[$0].end)) }
    }

    /// Returns the next rows of the plan; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        func isLoaded(_ row: Int) -> Bool { loads.progress(ofRow: row) == .settled }
        func isOver(_ entry: (row: Int, end: Instant)) -> Bool {
            entry.end <= moment.now || memory == nil && isLoaded(entry.row)
        }
        while done < plan.count, isOver(plan[done]) { done += 1 }
        // Rows in view are never evicted, so loaded ones need no request. The others in view come
        // before those that only may be loaded ahead.
        let visible = memory == nil ? RowSet(0..<0) : moment.viewport.visibleRows
        var named = Set(visible.filter(isLoaded))
        var room = memory.map { max($0, visible.count) - named.count } ?? Self.ahead
        let next = plan[done...].indices.filter {
            !isOver(plan[$0]) && named.insert(plan[$0].row).inserted
        }
        room -= next.count { visible.contains(plan[$0].row) }
        return next.filter { place in
            if visible.contains(plan[place].row) { return true }
            room -= 1
            return room >= 0
        }.map { Wanted(plan[$0].row, urgency: .visible, rank: $0) }
    }
}
