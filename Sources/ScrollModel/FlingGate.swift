/// How far or how long a fling must go before it is worth loading only around its landing.
///
/// A gate by rows is weak where rows are short, and never closes where they are tall; by screens
/// or by seconds it is the same everywhere.
///
/// ```swift
/// if FlingGate.rows(8).isClosed(by: prediction, in: viewport) { … }
/// ```
public enum FlingGate: Sendable, Equatable {
    /// The landing's first row is more than so many rows away.
    case rows(Int)
    /// The landing is more than so many heights of the viewport away.
    case screens(Double)
    /// The list rests more than so many seconds later.
    case seconds(Double)

    /// VVeboTableView's eight rows.
    public static let standard = rows(8)

    /// Whether a fling from where the viewport is goes so far; O(log n).
    ///
    /// By seconds, a fling whose duration isn't known is taken to slow down evenly.
    ///
    /// - Precondition: what the gate counts isn't negative.
    public func isClosed(by prediction: FlingPrediction, in viewport: Viewport) -> Bool {
        let way = abs(viewport.clamped(prediction.target) - viewport.offset)
        switch self {
        case .rows(let count):
            precondition(count >= 0, "a threshold isn't negative")
            let landing = viewport.visibleRows(at: prediction.target)
            return abs(landing.lowerBound - viewport.visibleRows.lowerBound) > count
        case .screens(let count):
            precondition(count >= 0, "a threshold isn't negative")
            return way > count * viewport.height
        case .seconds(let count):
            precondition(count >= 0, "a threshold isn't negative")
            if let duration = prediction.duration { return duration.inSeconds > count }
            return prediction.velocity != 0 && 2 * way > count * abs(prediction.velocity)
        }
    }
}
