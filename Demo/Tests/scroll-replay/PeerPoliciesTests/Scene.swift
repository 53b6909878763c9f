import DeferredLoading
import IdleLoop

@testable import ScrollModel

/// A list of 100 rows, each 100 px high, seen through a window of 400 px, and a rule that watches
/// it.
///
/// Frames are 16 ms apart, if nothing else is said, and take 2 ms.
struct Scene<Policy: LoadingPolicy> {
    var policy: Policy
    /// Rows that are loaded.
    var loaded: Set<Int> = []
    /// The usual cost of a load.
    var cost: Duration?

    private var tracker: ScrollTracker
    private var now = Instant.zero
    private var isFirst = true
    private var offset = 0.0
    /// The last answer of the rule.
    private(set) var demand: [Wanted<Int>] = []

    private struct Facts: LoadStatus {
        let loaded: Set<Int>
        let usualCost: Duration?

        func progress(ofRow row: Int) -> LoadProgress { loaded.contains(row) ? .settled : .none }
        func costHint(ofRow row: Int) -> Duration? { nil }
        func fetchHint(ofRow row: Int) -> Duration? { nil }
        func forEachLoad(ofRows rows: [Int], _ body: (LoadProgress, Duration?) -> Void) {
            for row in rows { body(progress(ofRow: row), nil) }
        }
        var usualFetch: Duration? { nil }
        var fetches: Int { 4 }
        var lanes: Int { 1 }
        var capacity: Int? { nil }
        var price: WorkPrice { .neutral }
        var priceFloor: WorkPrice { .free }
        var delivery: Duration { .zero }
        var transfer: Duration { .zero }
    }

    init(_ policy: Policy, rows: Int = 100) {
        self.policy = policy
        tracker = ScrollTracker(Viewport(rows: RowHeights(hundreds: rows), height: 400))
    }

    /// The rows that are wanted, the most urgent first.
    var rows: [Int] {
        demand.sorted { ($1.urgency, $0.rank) < ($0.urgency, $1.rank) }.map(\.key)
    }

    /// The rows that are wanted with an urgency, in order of rank.
    func rows(_ urgency: Urgency) -> [Int] {
        demand.filter { $0.urgency == urgency }.sorted { $0.rank < $1.rank }.map(\.key)
    }

    /// Shows a frame at an offset so long after the one before, and gives the rows wanted then.
    @discardableResult
    mutating func frame(_ offset: Double, after pause: Int = 16) -> [Int] {
        if !isFirst { now = now.advanced(by: .milliseconds(pause)) }
        isFirst = false
        self.offset = offset
        tell(tracker.note(.frame, at: now, offset: offset), after: .milliseconds(2))
        return rows
    }

    /// Shows frames at one offset, 16 ms apart, for so long.
    @discardableResult
    mutating func rest(_ milliseconds: Int) -> [Int] {
        for _ in 0..<milliseconds / 16 { frame(offset) }
        return rows
    }

    /// Reports an event where the list stands, and returns the rows wanted then.
    @discardableResult
    mutating func event(_ event: ScrollEvent) -> [Int] {
        tell(tracker.note(event, at: now))
        return rows
    }

    /// Lets go of the list with a speed, towards a target.
    @discardableResult
    mutating func fling(to target: Double, velocity: Double) -> [Int] {
        var moment = tracker.note(.up(y: 0), at: now)
        moment.forecast = FlingForecast(target: target, velocity: velocity)
        tell(moment)
        return rows
    }

    private mutating func tell(_ moment: ScrollState, after delay: Duration = .zero) {
        var moment = moment
        moment.now = now.advanced(by: delay)
        let facts = Facts(loaded: loaded, usualCost: cost)
        if let wanted = policy.wanted(after: moment, loads: facts) { demand = wanted }
    }
}

extension RowHeights {
    /// Creates rows of 100 px.
    init(hundreds count: Int) {
        guard let heights = try? RowHeights(count: count, height: 100) else {
            preconditionFailure("a list holds them")
        }
        self = heights
    }
}
