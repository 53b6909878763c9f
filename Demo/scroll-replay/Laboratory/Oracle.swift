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
public struct Oracle: LoadingPolicy {
    /// The number of rows of the plan that are wanted at once.
    private static let ahead = 64

    private let plan: OraclePlan
    private let lastSeen: [Int: Instant]
    private var done = 0

    /// Creates the oracle for a replay of a trace in a list.
    public init(of trace: Trace, in list: Viewport, options: ReplayOptions, work: (any RowWork)?) {
        let path = OffsetPath(of: trace, in: list, scroller: options.scroller)
        let schedule = FrameSchedule(along: path, options: options)
        let view = OracleView(of: path, in: list, at: schedule)
        let clock = OracleClock(
            schedule, entering: view.entering, inputs: trace.events.map(\.time.nanoseconds),
            options: options)
        let work = work ?? DrawnWork(base: options.cost, seed: options.seed)
        var start = list
        start.scroll(to: path.offset(at: .zero))
        plan = OraclePlan(
            view, clock, options: options, loaded: options.isWarm ? start.visibleRows : 0..<0
        ) { work.costHint(ofRow: $0) ?? options.cost * 4 }
        lastSeen = Dictionary(
            uniqueKeysWithValues: view.rows.map {
                ($0.number, schedule.due($0.stays.last?.upperBound ?? 0))
            })
    }

    /// Returns the next rows of the plan; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        func isOver(_ row: Int) -> Bool {
            loads.progress(ofRow: row) == .settled || lastSeen[row, default: .zero] <= moment.now
        }
        while done < plan.order.count, isOver(plan.order[done]) { done += 1 }
        return plan.order.enumerated().dropFirst(done).filter { !isOver($0.element) }
            .prefix(Self.ahead).map { Wanted($0.element, urgency: .visible, rank: $0.offset) }
    }
}
