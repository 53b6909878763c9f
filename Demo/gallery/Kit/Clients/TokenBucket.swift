internal import IdleLoop

/// A token bucket with a capacity and a refill rate.
struct TokenBucket {
    private let burst: Double
    /// The number of tokens refilled per second.
    var rate: Double
    private var tokens: Double
    private var last: Instant

    init(burst: Int, perSecond rate: Int, now: Instant) {
        self.burst = Double(burst)
        self.rate = Double(rate)
        tokens = Double(burst)
        last = now
    }

    /// Returns whether the bucket is full.
    func isFull(at now: Instant) -> Bool {
        var filled = self
        _ = filled.take(0, at: now)
        return filled.tokens >= burst
    }

    /// Puts back tokens that weren't used.
    mutating func put(_ count: Int) { tokens = min(burst, tokens + Double(count)) }

    /// Takes tokens, and returns whether there were enough.
    mutating func take(_ count: Int = 1, at now: Instant) -> Bool {
        let seconds = max(0, last.duration(to: now) / .seconds(1))
        tokens = min(burst, tokens + seconds * rate)
        last = max(last, now)
        guard tokens >= Double(count) else { return false }
        tokens -= Double(count)
        return true
    }
}
