public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P2: units of work on a run loop (RunLoopWorkDistribution, `DWURunLoopWorkDistribution`).
///
/// Each cell that is shown appends its units to a list of at most 30, which drops its oldest for a
/// new one. Before the run loop sleeps it takes the first: a unit whose cell shows another row by
/// now costs nothing, and the next is taken; after the first unit that did some work it stops.
/// While a finger tracks the list no unit runs. A timer of 100 ms keeps the run loop running.
///
/// Here a row is one unit, as it is one load; the one that a pass has taken is the only wanted row
/// until it is loaded. Passes take place at frames, one each 100 ms: what else would wake the run
/// loop isn't known. A loaded row has no unit.
public struct RunLoopUnits: LoadingPolicy {
    /// The rows of the waiting units, the oldest first.
    public private(set) var waiting: [Int] = []
    private var visible = 0..<0
    private var loading: Int?
    private var lastPass: Instant?

    /// Creates the rule.
    public init() {}

    /// Returns the row whose unit runs; answers at frames.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let now = moment.viewport.visibleRows.bounds
        for row in now.along(isForward: moment.motion.isMovingDown) where !visible.contains(row) {
            guard loads.progress(ofRow: row) != .settled else { continue }
            waiting.append(row)
            if waiting.count > 30 { waiting.removeFirst() }
        }
        visible = now
        if let row = loading, loads.progress(ofRow: row) == .settled { loading = nil }
        if isTimeForPass(moment) {
            lastPass = moment.time
            runUnit()
        }
        return loading.map { [Wanted($0, urgency: .visible, rank: 0)] } ?? []
    }

    private func isTimeForPass(_ moment: ScrollState) -> Bool {
        guard loading == nil, !moment.motion.isTouched else { return false }
        return lastPass.map { $0.duration(to: moment.time) >= .milliseconds(100) } ?? true
    }

    /// Runs the first unit whose row is still on screen.
    private mutating func runUnit() {
        while let row = waiting.first {
            waiting.removeFirst()
            guard visible.contains(row) else { continue }
            loading = row
            return
        }
    }

    /// Returns the row's place in the list.
    public func explanation(ofRow row: Int) -> String? {
        waiting.firstIndex(of: row).map { "\($0 + 1). of \(waiting.count) units" }
    }
}
