extension Duration {
    /// The time in seconds, the unit of the formulas.
    var inSeconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }

    /// A time that a formula gave in seconds, to the nanosecond.
    ///
    /// That hides the last bits, in which two machines' `exp` may differ. Times end after 285
    /// years.
    static func rounding(seconds: Double) -> Duration {
        .nanoseconds(Int64(min(seconds * 1e9, 9e18).rounded()))
    }
}
