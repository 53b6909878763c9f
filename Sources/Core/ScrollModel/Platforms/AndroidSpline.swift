/// The curve of every fling on Android: the share of the distance at each hundredth of the time.
///
/// Two cubics share a parameter, one for time and one for position; the table holds the second for
/// a hundred even steps of the first. It is computed in single precision and with the bisection's
/// tolerance of 1e-5, as on the platform, so that paths agree to the pixel. (AOSP,
/// android/widget/OverScroller.java, SplineOverScroller.)
struct AndroidSpline: Sendable {
    private static let steps = 100
    private let positions: [Float]

    /// Computes the table, in some twenty steps for each entry.
    init() {
        let (startTension, endTension) = (0.5, 1.0)
        let inflexion = AndroidFriction.inflexion
        let timeHandle = (
            Float(startTension * inflexion), Float(1 - endTension * (1 - inflexion))
        )
        var positions: [Float] = []
        var low: Float = 0
        for step in 0..<Self.steps {
            let time = Float(step) / Float(Self.steps)
            var high: Float = 1
            var x = (low + high) / 2
            for _ in 0..<64 {
                let error = Self.cubic(timeHandle.0, timeHandle.1, at: x) - time
                if abs(error) < 1e-5 { break }
                if error > 0 { high = x } else { low = x }
                x = low + (high - low) / 2
            }
            positions.append(Self.cubic(Float(startTension), Float(endTension), at: x))
        }
        self.positions = positions + [1]
    }

    /// Returns the share of the distance at a share of the time, and the slope there.
    func progress(at time: Double) -> (position: Double, slope: Double) {
        let steps = Double(positions.count - 1)
        let step = min(max(0, Int(time * steps)), positions.count - 2)
        let below = Double(positions[step])
        let slope = (Double(positions[step + 1]) - below) * steps
        return (below + (time - Double(step) / steps) * slope, slope)
    }

    private static func cubic(_ one: Float, _ two: Float, at x: Float) -> Float {
        3 * x * (1 - x) * ((1 - x) * one + x * two) + x * x * x
    }
}
