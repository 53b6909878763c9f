// Seconds, the unit of the formulas.
extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }

    /// Returns a duration in seconds that a formula gave, rounded to the nanosecond.
    ///
    /// The rounding hides the last bits, in which the `exp` of two machines may differ. Durations
    /// are at most 285 years.
    package static func rounding(seconds: Double) -> Duration {
        .nanoseconds(Int64(min(seconds * 1e9, 9e18).rounded()))
    }
}

extension Instant {
    /// The seconds since the clock's origin.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}
