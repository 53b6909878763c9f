/// What moves a list: a platform's fling, its brake, and its way to measure a finger.
///
/// ```swift
/// Scroller(.android)                       // Android's, all by its constants
/// Scroller(.qt, brake: 2)                  // a Flickable that brakes twice as hard
/// Scroller(.android, tracking: .init(strategy: .impulse))
/// ```
public struct Scroller: Sendable {
    /// Whose curve it is.
    public let name: FlingModelName

    /// How the release velocity is measured.
    public let tracking: VelocityTracker.Configuration

    /// How many times as hard as the platform's its brake is.
    public let brake: Double

    /// The rule of its flings.
    public let model: any FlingModel

    /// A platform's scroller, or one that differs from it.
    ///
    /// - Precondition: the brake is positive and finite.
    public init(
        _ name: FlingModelName, tracking: VelocityTracker.Configuration? = nil, brake: Double = 1
    ) {
        self.name = name
        self.tracking = tracking ?? name.tracking
        self.brake = brake
        model = name.model(brake: brake)
    }

    /// Where a fling would rest that nothing bounds, relative to its start, in px.
    func reach(from start: Double, velocity: Double, viewportHeight: Double) -> Double {
        fling(from: start, velocity: velocity, viewportHeight: viewportHeight).unclampedTarget
            - start
    }

    /// The path of a fling that nothing bounds.
    func fling(from start: Double, velocity: Double, viewportHeight: Double) -> Fling {
        model.fling(
            from: start, velocity: velocity,
            bounds: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude,
            viewportHeight: viewportHeight)
    }
}
