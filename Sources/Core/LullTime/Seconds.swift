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
    /// are at most 285 years; what isn't a number is zero.
    package static func rounding(seconds: Double) -> Duration {
        let nanoseconds = seconds.isNaN ? 0 : min(max(seconds * 1e9, -9e18), 9e18)
        return .nanoseconds(Int64(nanoseconds.rounded()))
    }
}

extension Instant {
    /// The seconds since the clock's origin.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}
