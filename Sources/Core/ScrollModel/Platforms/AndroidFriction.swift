internal import Glibc

/// The distance and duration of Android's flings: a power law, from decreasing friction.
///
/// The deceleration follows D = ln 0.78 / ln 0.9, so the distance grows as v^(D/(D−1)), that is
/// v^1.74, and the duration as v^0.74. Flutter uses the same law. (AOSP,
/// android/widget/OverScroller.java; Flutter, ClampingScrollSimulation.)
struct AndroidFriction: Sendable {
    /// D, the exponent of the deceleration.
    let rate = log(0.78) / log(0.9)
    let inflexion: Double
    /// The friction times gravity in pixels, in px per second squared.
    let brake: Double

    init(friction: Double, inflexion: Double, density: Double) {
        precondition(friction > 0 && density > 0, "a fling's constants are positive")
        precondition(inflexion > 0 && inflexion < 1, "the inflexion lies within the fling's time")
        self.inflexion = inflexion
        // Metres per second squared, in inches, in px, and a factor that Android chose by look and
        // feel.
        brake = friction * 9.80665 * 39.37 * 160 * density * 0.84
    }

    /// Returns the distance in px for a speed in px per second.
    func distance(speed: Double) -> Double {
        speed > 0 ? brake * exp(rate / (rate - 1) * log(inflexion * speed / brake)) : 0
    }

    /// Returns Android's duration in seconds for a speed in px per second.
    func duration(speed: Double) -> Double {
        speed > 0 ? exp(log(inflexion * speed / brake) / (rate - 1)) : 0
    }
}
