internal import Glibc

/// The distance and time of Android's flings: a power law, from a brake that tires.
///
/// Friction slows a list by D = ln 0.78 / ln 0.9 powers, so the way grows as v^(D/(D−1)), that is
/// v^1.74, and the time as v^0.74. Flutter took the same law over. (AOSP,
/// android/widget/OverScroller.java; Flutter, ClampingScrollSimulation.)
struct AndroidFriction: Sendable {
    /// D, by which the speed falls.
    let rate = log(0.78) / log(0.9)
    let inflexion: Double
    /// Friction times what gravity makes of a pixel, in px per second squared.
    let brake: Double

    init(friction: Double, inflexion: Double, density: Double) {
        precondition(friction > 0 && density > 0, "a fling's constants are positive")
        precondition(inflexion > 0 && inflexion < 1, "the inflexion lies within the fling's time")
        self.inflexion = inflexion
        // Metres per second squared, in inches, in px, and a factor that looked right.
        brake = friction * 9.80665 * 39.37 * 160 * density * 0.84
    }

    /// The way in px for a speed in px per second.
    func distance(speed: Double) -> Double {
        speed > 0 ? brake * exp(rate / (rate - 1) * log(inflexion * speed / brake)) : 0
    }

    /// Android's time in seconds for a speed in px per second.
    func duration(speed: Double) -> Double {
        speed > 0 ? exp(log(inflexion * speed / brake) / (rate - 1)) : 0
    }
}
