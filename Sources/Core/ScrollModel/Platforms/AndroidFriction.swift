internal import LullLibC

/// The distance and duration of Android's flings: a power law, from decreasing friction.
///
/// The deceleration follows D = ln 0.78 / ln 0.9, so the distance grows as v^(D/(D−1)), that is
/// v^1.74, and the duration as v^0.74. Flutter uses the same law. (AOSP,
/// android/widget/OverScroller.java; Flutter, ClampingScrollSimulation.)
struct AndroidFriction: Sendable {
    /// The share of the time at which the spline's tensions meet.
    static let inflexion = 0.35
    /// The maximum velocity, in px per second.
    static let maximumVelocity = 8000.0

    /// D, the exponent of the deceleration.
    let rate = log(0.78) / log(0.9)
    /// The friction times gravity in pixels, in px per second squared.
    private let deceleration: Double

    /// The law with Android's scroll friction times a brake, at density 1.
    init(brake: Double) {
        // Metres per second squared, in inches, in px, and a factor that Android chose by look and
        // feel.
        deceleration = 0.015 * brake * 9.80665 * 39.37 * 160 * 0.84
    }

    /// Returns the distance in px for a speed in px per second.
    func distance(speed: Double) -> Double {
        guard speed > 0 else { return 0 }
        return deceleration * exp(rate / (rate - 1) * log(Self.inflexion * speed / deceleration))
    }

    /// Returns Android's duration in seconds for a speed in px per second.
    func duration(speed: Double) -> Double {
        speed > 0 ? exp(log(Self.inflexion * speed / deceleration) / (rate - 1)) : 0
    }
}
