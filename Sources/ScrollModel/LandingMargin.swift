/// The rows around a landing that are worth loading besides those that will be in view.
///
/// Predictions are a little wrong, and fingers move on. By default three rows on both sides, this
/// project's rule: within three of the scroll target.
///
/// ```swift
/// LandingMargin().rows(around: prediction, in: viewport)
/// LandingMargin(.screens(0.5), on: .ahead).rows(around: prediction, in: viewport)
/// ```
public struct LandingMargin: Sendable, Equatable {
    /// How much is added.
    public enum Amount: Sendable, Equatable {
        /// So many rows.
        case rows(Int)
        /// All rows that begin within so many heights of the viewport.
        case screens(Double)
        /// All rows that the list passes in so many last seconds of the fling; as far on the
        /// other side. With no path known, of one that slows down evenly.
        case seconds(Double)
    }

    /// Where it is added.
    public enum Side: Sendable, Equatable {
        /// Before and behind the landing.
        case both
        /// Where the fling comes from.
        case approach
        /// Where it would go on to.
        case ahead
    }

    /// How much is added on each side.
    public let amount: Amount
    /// Where it is added.
    public let side: Side

    /// A margin; three rows on both sides if nothing else is said.
    ///
    /// - Precondition: the amount is not negative.
    public init(_ amount: Amount = .rows(3), on side: Side = .both) {
        switch amount {
        case .rows(let count): precondition(count >= 0, "a margin isn't negative")
        case .screens(let count), .seconds(let count):
            precondition(count >= 0, "a margin isn't negative")
        }
        self.amount = amount
        self.side = side
    }

    /// The rows in view at the landing, and the margin's; O(log n).
    ///
    /// A target beyond the end gives the last rows, one above the top the first.
    public func rows(around prediction: FlingPrediction, in viewport: Viewport) -> Range<Int> {
        let target = viewport.clamped(prediction.target)
        let landing = viewport.visibleRows(at: target)
        guard !landing.isEmpty else { return landing }
        let isDown = target >= viewport.offset
        let above = side == .both || (side == .approach) == isDown
        let below = side == .both || (side == .ahead) == isDown
        if case .rows(let count) = amount {
            let first = above ? max(0, landing.lowerBound - min(count, landing.lowerBound)) : nil
            let room = viewport.list.rowCount - landing.upperBound
            let end = below ? landing.upperBound + min(count, room) : nil
            return (first ?? landing.lowerBound)..<(end ?? landing.upperBound)
        }
        let reach = length(before: target, prediction, viewport)
        let first = above ? viewport.visibleRows(at: target - reach).lowerBound : nil
        let end = below ? viewport.visibleRows(at: target + reach).upperBound : nil
        return (first ?? landing.lowerBound)..<(end ?? landing.upperBound)
    }

    /// The margin in px.
    private func length(
        before target: Double, _ prediction: FlingPrediction, _ viewport: Viewport
    ) -> Double {
        switch amount {
        case .rows: return 0
        case .screens(let count): return count * viewport.height
        case .seconds(let count):
            if let path = prediction.path {
                let time = path.duration - .rounding(seconds: count)
                return abs(target - path.offset(at: time))
            }
            // The way of the last seconds of a motion that slows down evenly to a halt.
            let way = abs(target - viewport.offset)
            guard prediction.velocity != 0, way > 0 else { return 0 }
            let share = min(1, count * abs(prediction.velocity) / (2 * way))
            return way * share * share
        }
    }
}
