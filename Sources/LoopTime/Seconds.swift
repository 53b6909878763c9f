// Seconds, the unit of the formulas.
extension Duration {
    /// The time in seconds.
    package var inSeconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }

    /// A time that a formula gave in seconds, to the nanosecond.
    ///
    /// That hides the last bits, in which two machines' `exp` may differ. Times end after 285
    /// years.
    package static func rounding(seconds: Double) -> Duration {
        .nanoseconds(Int64(min(seconds * 1e9, 9e18).rounded()))
    }
}

extension Instant {
    /// Seconds since the clock's origin.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}
