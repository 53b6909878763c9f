internal import IdleLoop
package import ScrollModel

/// The rule `everything`: what is on screen, then all that is near it, the nearest first.
package struct EverythingNear: LoadingPolicy {
    /// How far it reaches on either side, in screens.
    private let screens: Double

    /// The rule with its reach.
    package init(screens: Double = 2) {
        precondition(screens >= 0 && screens.isFinite, "a reach is finite and not negative")
        self.screens = screens
    }

    /// The rows on screen and around it; answers at frames only.
    package mutating func wanted(
        after moment: ScrollMoment, loads: any LoadFacts
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        let list = viewport.list
        let visible = viewport.visibleRows
        let reach = screens * viewport.height
        var near: [(row: Int, gap: Double)] = []
        var row = visible.lowerBound - 1
        while row >= 0 {
            let gap = viewport.offset - list.extent(ofRowAt: row).end
            guard gap < reach else { break }
            near.append((row, gap))
            row -= 1
        }
        row = visible.upperBound
        while row < list.rowCount {
            let gap = list.extent(ofRowAt: row).offset - viewport.offset - viewport.height
            guard gap < reach else { break }
            near.append((row, gap))
            row += 1
        }
        near.sort { ($0.gap, $0.row) < ($1.gap, $1.row) }
        return visible.map { Wanted($0, urgency: .visible, rank: $0) }
            + near.enumerated().map { Wanted($1.row, urgency: .near, rank: $0) }
    }
}
