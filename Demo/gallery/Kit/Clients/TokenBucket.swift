internal import IdleLoop

/// Bounds how often something is done: so many at once, and so many a second.
struct TokenBucket {
    private let burst: Double
    private let rate: Double
    private var tokens: Double
    private var last: Instant

    init(burst: Int, perSecond rate: Int, now: Instant) {
        self.burst = Double(burst)
        self.rate = Double(rate)
        tokens = Double(burst)
        last = now
    }

    /// Whether one more may be done now; then it counts.
    mutating func take(at now: Instant) -> Bool {
        let seconds = max(0, Double(last.duration(to: now).wholeNanoseconds)) / 1e9
        tokens = min(burst, tokens + seconds * rate)
        last = max(last, now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
