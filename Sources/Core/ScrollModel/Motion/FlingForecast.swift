/// The predicted landing position of a fling, and the path to it, at one moment.
///
/// ```swift
/// if let forecast = list.forecast {
///     viewport.visibleRows(at: forecast.target)    // the rows that will be in view then
///     forecast.remaining                           // and when
/// }
/// ```
public struct FlingForecast: Sendable {
    /// The offset at which the list will rest, in px, within its bounds.
    public let target: Double

    /// The list's velocity at its release, in px per second; positive when the offset grows.
    ///
    /// From a model, this includes what a caught fling added to it.
    public let velocity: Double

    /// The path from the release on; nil if the host reported only the target.
    public let path: Fling?

    /// The time from the path's release to the forecast.
    package let elapsed: Duration

    /// A forecast from a host that knows the fling, or in a test of a rule.
    package init(
        target: Double, velocity: Double, path: Fling? = nil, elapsed: Duration = .zero
    ) {
        self.target = target
        self.velocity = velocity
        self.path = path
        self.elapsed = elapsed
    }

    /// The time from now until the list rests; nil if the host reported only the target.
    public var remaining: Duration? {
        path.map { max(.zero, $0.duration - elapsed) }
    }
}
