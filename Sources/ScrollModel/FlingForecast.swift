/// Where a list that flings will rest, as seen at one moment of its way: where, when, how surely.
///
/// ```swift
/// if let forecast = predictor.observe(offset, at: time, in: viewport) {
///     forecast.interval                             // holds the landing nine times in ten
///     forecast.passage(ofRow: 120, in: viewport)    // when it comes, and when it goes
/// }
/// ```
public struct FlingForecast: Sendable {
    /// Who said where the list will rest.
    public enum Source: Sendable {
        /// The scroller that moves the list: its own plan, and no guess.
        case host
        /// A fling model, from the finger's samples.
        case model
    }

    /// The offset at which the list will rest, in px, within its bounds.
    public let target: Double

    /// Who said so.
    public let source: Source

    /// The list's velocity at its release, in px per second; positive when the offset grows.
    ///
    /// From a model, this includes what a caught fling added to it.
    public let velocity: Double

    /// The offsets between which it will rest, with a likelihood of ``level``.
    public let interval: ClosedRange<Double>

    /// How often intervals like this one hold the landing, as a share.
    public let level: Double

    /// The way, from its release on; nil if the host told only the target.
    public let path: Fling?

    /// The time from the path's release until this forecast was made.
    public let elapsed: Duration

    /// What someone who knows says of a fling; without an interval, that it rests at the target.
    public init(
        target: Double, source: Source, velocity: Double, interval: ClosedRange<Double>? = nil,
        level: Double = 1, path: Fling? = nil, elapsed: Duration = .zero
    ) {
        self.target = target
        self.source = source
        self.velocity = velocity
        self.interval = interval ?? target...target
        self.level = level
        self.path = path
        self.elapsed = elapsed
    }

    /// The time from the release until the list rests; nil if the host told only the target.
    public var duration: Duration? { path?.duration }

    /// The time from now until the list rests; nil if the host told only the target.
    public var remaining: Duration? {
        path.map { max(.zero, $0.duration - elapsed) }
    }

    /// The rows that may be in view where the list rests; O(log n).
    public func rows(in viewport: Viewport) -> Range<Int> {
        let first = viewport.visibleRows(at: interval.lowerBound)
        let last = viewport.visibleRows(at: interval.upperBound)
        return first.lowerBound..<max(first.lowerBound, last.upperBound)
    }

    /// When a row comes into view, and when it goes, counted from now.
    ///
    /// Nil if it never is in view from now on, or if the host told only the target. O(log n), and
    /// up to 120 evaluations of the path's formula.
    ///
    /// - Precondition: the list has this row.
    public func passage(ofRow row: Int, in viewport: Viewport) -> RowPassage? {
        guard let path else { return nil }
        let extent = viewport.list.extent(ofRowAt: row)
        return RowPassage(
            from: extent.offset, to: extent.end, through: viewport.height, along: path,
            after: elapsed)
    }
}
