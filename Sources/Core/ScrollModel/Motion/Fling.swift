internal import LullLibC

/// The path of a list after the release: its offset at any time, its landing position, and its
/// duration.
///
/// ```swift
/// let fling = Scroller(.gtk).fling(
///     from: 0, velocity: 2_000, bounds: 0...50_000, viewportHeight: 800)
/// fling.offset(at: .milliseconds(100))
/// ```
///
/// Times are counted from the release. At a bound the list stops at once: a list that bounces
/// beyond the edge returns to it.
public struct Fling: Sendable {
    /// The offset at the release, in px.
    package let start: Double

    /// The velocity at the release, in px per second; positive when the offset grows.
    package let velocity: Double

    /// The offset at which the list will rest, in px, within the bounds.
    public let target: Double

    /// The offset at which it would rest in a list without bounds, in px.
    package let unclampedTarget: Double

    /// The time until the list rests or reaches a bound.
    public let duration: Duration

    /// The velocity above which samples were invalid, in px per second.
    static let mostVelocity = 1e9

    private let curve: any FlingCurve

    /// A path by a model, within a list's bounds.
    init(
        from offset: Double, velocity: Double, within bounds: ClosedRange<Double>,
        viewportHeight: Double, by model: some FlingModel
    ) {
        let offset = offset.isFinite ? offset : 0
        let start = min(max(offset, bounds.lowerBound), bounds.upperBound)
        let velocity = abs(velocity) <= Self.mostVelocity ? velocity : 0
        let height = viewportHeight >= 0 && viewportHeight.isFinite ? viewportHeight : 0
        let curve = model.curve(from: start, velocity: velocity, viewportHeight: height)
        self.init(curve, from: start, velocity: velocity, within: bounds)
    }

    /// A path along a curve, whose start may lie outside the bounds if these have changed since.
    init(
        _ curve: any FlingCurve, from start: Double, velocity: Double,
        within bounds: ClosedRange<Double>
    ) {
        let end = start + curve.distance
        let target = min(max(end, bounds.lowerBound), bounds.upperBound)
        let share = target == end ? 1 : (target - start) / curve.distance
        let time =
            share < 1 ? share > 0 ? curve.time(atDistance: target - start) : 0 : curve.duration
        self.start = start
        self.velocity = velocity
        self.target = target
        unclampedTarget = end
        duration = .rounding(seconds: time)
        self.curve = curve
    }

    /// Returns the same path in a list whose offset has moved by `shift` px with changes of its
    /// rows, and which has other bounds since.
    func shifted(by shift: Double, within bounds: ClosedRange<Double>) -> Fling {
        Fling(curve, from: start + shift, velocity: velocity, within: bounds)
    }

    /// Returns the list's offset, in px, at a time after the release.
    ///
    /// That is the offset at the release before it, and ``target`` from ``duration`` on.
    public func offset(at elapsed: Duration) -> Double {
        guard elapsed < duration else { return target }
        guard elapsed > .zero else { return start }
        let offset = start + curve.distance(at: elapsed.inSeconds)
        return min(max(offset, min(start, target)), max(start, target))
    }

    /// Returns the list's velocity, in px per second, at a time after the release.
    ///
    /// Zero before the release and from ``duration`` on.
    package func velocity(at elapsed: Duration) -> Double {
        guard elapsed >= .zero, elapsed < duration else { return 0 }
        return curve.velocity(at: elapsed.inSeconds)
    }
}
