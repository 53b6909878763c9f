internal import IdleLoop

/// A token bucket: so many tokens at once, and so many a second.
struct TokenBucket {
    private let burst: Double
    /// The tokens that come back a second.
    var rate: Double
    private var tokens: Double
    private var last: Instant

    init(burst: Int, perSecond rate: Int, now: Instant) {
        self.burst = Double(burst)
        self.rate = Double(rate)
        tokens = Double(burst)
        last = now
    }

    /// Returns whether all tokens are there.
    func isFull(at now: Instant) -> Bool {
        var filled = self
        _ = filled.take(0, at: now)
        return filled.tokens >= burst
    }

    /// Takes tokens, and returns whether there were so many.
    mutating func take(_ count: Int = 1, at now: Instant) -> Bool {
        let seconds = max(0, Double(last.duration(to: now).wholeNanoseconds)) / 1e9
        tokens = min(burst, tokens + seconds * rate)
        last = max(last, now)
        guard tokens >= Double(count) else { return false }
        tokens -= Double(count)
        return true
    }
}
