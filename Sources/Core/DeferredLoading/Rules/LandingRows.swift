internal import IdleLoop
internal import LullLibC
package import ScrollModel

/// The rule `within3`: in a fling that goes far, only the rows around its landing position are
/// wanted; otherwise the rows on screen.
///
/// At the lift of the finger the landing is known, or predicted. If it is more than `threshold`
/// lines away the gate closes, and nothing is wanted but the rows that will be visible there and
/// `margin` more lines on either side, in the order in which the list will reach them; without a
/// ``ScrollModel/LineFlow``, each row is a line. A touch, a wheel, a key, the
/// end of a scroll to the top and the list's coming to rest open it again, and all that is on screen
/// counts as having just appeared. A change of the rows moves it along with the landing.
package struct LandingRows: LoadingPolicy {
    /// The distance of a landing, in lines, beyond which the gate closes.
    private let threshold: Int
    /// The number of lines wanted on either side of those visible at the landing.
    private let margin: Int
    /// The time without motion after which a list has come to rest.
    private static let rest = Duration.milliseconds(100)

    /// The rows that are wanted while the gate is closed; nil while it is open.
    package private(set) var gate: Range<Int>?
    /// The landing for which the gate was closed, in px.
    private var target = 0.0

    private var order = EntryOrder()

    /// The rule with its two order.
    package init(threshold: Int = 8, margin: Int = 3) {
        precondition(threshold >= 0 && margin >= 0, "a threshold and a margin aren't negative")
        self.threshold = threshold
        self.margin = margin
    }

    /// Returns what is wanted, at frames and at events that open or close the gate; otherwise nil.
    package mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        switch moment.event {
        case .frame: return frame(moment)
        case .up: return lift(moment)
        case .jumpBegan(let target): return close(at: target, in: moment.viewport)
        case .down, .wheel, .key, .jumpEnded: return open(moment)
        case .changed(let shift?) where gate != nil:
            return close(at: target + shift, in: moment.viewport)
        case .changed:
            gate = nil
            return reconcile(moment)
        case .moved, .cancelled, nil: return nil
        }
    }

    /// Returns whether a row is near the landing of a fling or, without one, on screen.
    package func explanation(ofRow row: Int) -> String? {
        guard let gate else { return order.contains(row) ? "on screen" : "not on screen" }
        return gate.contains(row)
            ? "the list will rest within \(margin) rows of it"
            : "the list will rest more than \(margin) rows from it"
    }

    private mutating func frame(_ moment: ScrollState) -> [Wanted<Int>]? {
        if gate != nil {
            guard moment.motion.hasRested(for: Self.rest, at: moment.now) else { return nil }
            return open(moment)
        }
        order.update(in: moment)
        return order.wanted
    }

    private mutating func lift(_ moment: ScrollState) -> [Wanted<Int>]? {
        guard let target = moment.forecast?.target else { return open(moment) }
        let (viewport, list) = (moment.viewport, moment.viewport.list)
        let first = viewport.visibleRows.lowerBound
        let landing = viewport.visibleRows(at: target).lowerBound
        let near = list.rows(RowSet(first..<first), before: threshold, after: threshold + 1)
        let isNear = landing == first || near.bounds.contains(min(landing, list.rowCount - 1))
        return isNear ? open(moment) : close(at: target, in: viewport)
    }

    private mutating func close(at target: Double, in viewport: Viewport) -> [Wanted<Int>]? {
        self.target = viewport.clamped(target)
        let landing = viewport.visibleRows(at: target)
        let rows = viewport.list.rows(landing, before: margin, after: margin)
        gate = rows.bounds
        let isBelow = landing.lowerBound > viewport.visibleRows.lowerBound
        return rows.enumerated().map { place, row in
            Wanted(row, urgency: .landing, rank: isBelow ? place : rows.count - 1 - place)
        }
    }

    private mutating func open(_ moment: ScrollState) -> [Wanted<Int>]? {
        guard gate != nil else { return nil }
        gate = nil
        return reconcile(moment)
    }

    /// Returns the rows that are on screen now, all as if they had just appeared.
    private mutating func reconcile(_ moment: ScrollState) -> [Wanted<Int>] {
        order.removeAll()
        order.update(in: moment)
        return order.wanted
    }
}
