/// A fling of constant velocity for a second, without physics.
///
/// It is the prediction of Chromium's tile manager, which prepares the area ahead of any motion,
/// fling or not: velocity times 1 s, at most 2000 px. Use it if the scroller's model is unknown and
/// only the direction is known. (Chromium, cc/tiles/picture_layer_tiling_set.cc, ComputeSkewport.)
package struct LinearFling: FlingModel {
    /// The maximum distance, in px.
    private static let maximumDistance = 2000.0

    /// The time ahead, in seconds.
    private let horizon: Double

    /// A prediction of a second ahead, divided by a brake.
    package init(brake: Double = 1) {
        horizon = 1 / brake
    }

    /// Returns a path of constant speed.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let way = min(abs(velocity) * horizon, Self.maximumDistance)
        return Curve(velocity: velocity, duration: way > 0 ? way / abs(velocity) : 0)
    }

    private struct Curve: FlingCurve {
        let velocity: Double
        let duration: Double

        var distance: Double { velocity * duration }

        func distance(at time: Double) -> Double { velocity * time }

        func velocity(at time: Double) -> Double { velocity }
    }
}
