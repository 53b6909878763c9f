/// A platform's scroller: its fling model, its brake, and its velocity estimator.
///
/// The same stroke ends 194 px further on Android, 499 px on iOS, and 189 px in a desktop browser
/// (at 1000 px/s); so the rows that are worth loading depend on the scroller that moves the list.
/// If the scroller reports its target itself, use that instead.
///
/// ```swift
/// Scroller(.android)                       // Android's, all by its constants
/// Scroller(.qt, brake: 2)                  // a Flickable that brakes twice as hard
/// let fling = Scroller(.chromium).fling(
///     from: 1_200, velocity: 3_000, bounds: 0...viewport.maximumOffset,
///     viewportHeight: 800)
/// fling.target                             // where the list will rest
/// ```
public struct Scroller: Sendable {
    /// The platform of the curve.
    package let name: FlingModelName

    /// The estimator of the release velocity.
    package let tracking: VelocityTracker.Configuration

    /// The brake, as a multiple of the platform's.
    package let brake: Double

    /// The model of its flings.
    package let model: any FlingModel

    /// A platform's scroller, or one whose brake is multiplied by a factor.
    ///
    /// - Precondition: `brake` is positive and finite.
    public init(_ name: FlingModelName, brake: Double = 1) {
        self.init(name, tracking: name.tracking, brake: brake)
    }

    /// A scroller with its own velocity estimator.
    package init(
        _ name: FlingModelName, tracking: VelocityTracker.Configuration, brake: Double = 1
    ) {
        self.name = name
        self.tracking = tracking
        self.brake = brake
        model = name.model(brake: brake)
    }

    /// Returns the path of a list after its release.
    ///
    /// A velocity that isn't finite, or is above 10⁹ px per second, counts as none, and a height that
    /// is negative or not finite as zero.
    ///
    /// - Parameters:
    ///   - start: the list's offset in px; clamped to the bounds.
    ///   - velocity: the velocity of the offset, in px per second.
    ///   - bounds: the offsets at which the list can rest; unbounded by default.
    ///   - viewportHeight: the viewport's height in px, by which some platforms limit the distance.
    /// - Returns: the whole path, which can be evaluated at any time.
    public func fling(
        from start: Double, velocity: Double,
        bounds: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude,
        viewportHeight: Double
    ) -> Fling {
        model.fling(
            from: start, velocity: velocity, bounds: bounds, viewportHeight: viewportHeight)
    }

    /// Returns the distance of a fling without bounds, in px.
    func reach(from start: Double, velocity: Double, viewportHeight: Double) -> Double {
        fling(from: start, velocity: velocity, viewportHeight: viewportHeight).unclampedTarget
            - start
    }
}
