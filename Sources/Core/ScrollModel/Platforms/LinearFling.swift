/// A fling of constant velocity for a second, without physics.
///
/// It is the prediction of Chromium's tile manager, which prepares the area ahead of any motion,
/// fling or not: velocity times 1 s, at most 2000 px. Use it if the scroller's model is unknown and
/// only the direction is known. (Chromium, cc/tiles/picture_layer_tiling_set.cc, ComputeSkewport.)
package struct LinearFling: FlingModel {
    private let horizon: Double
    private let maximumDistance: Double

    /// A prediction of `horizon` seconds ahead, and at most `maximumDistance` px.
    ///
    /// - Precondition: both are positive.
    package init(horizon: Double = 1, maximumDistance: Double = 2000) {
        precondition(horizon > 0 && maximumDistance > 0, "a fling's constants are positive")
        self.horizon = horizon
        self.maximumDistance = maximumDistance
    }

    /// Returns a path of constant speed.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let way = min(abs(velocity) * horizon, maximumDistance)
        return Curve(velocity: velocity, duration: way > 0 ? way / abs(velocity) : 0)
    }
}

extension LinearFling {
    private struct Curve: FlingCurve {
        let velocity: Double
        let duration: Double

        var distance: Double { velocity * duration }

        func distance(at time: Double) -> Double { velocity * time }

        func velocity(at time: Double) -> Double { velocity }
    }
}
