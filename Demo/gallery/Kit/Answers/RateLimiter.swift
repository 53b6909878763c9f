internal import IdleLoop

/// A limit of the work that one address's requests cause on the loop, at once and per second.
///
/// The budget of all addresses per second is divided among those that have used some of theirs.
///
/// Costs are those of the table in ``RequestCost``, not measured ones, so that an answer depends on
/// earlier requests only, and not on the machine.
struct RateLimiter {
    /// The maximum number of addresses that are remembered.
    static let mostAddresses = 4096
    /// The interval of the search for addresses with full budgets, which are forgotten.
    static let period = Duration.seconds(1)

    private let limits: GalleryLimits
    private var buckets: [UInt64: TokenBucket] = [:]
    private var lastLook = Instant.zero

    init(_ limits: GalleryLimits) {
        self.limits = limits
    }

    /// The number of addresses that are remembered.
    var count: Int { buckets.count }

    /// Charges an address with a cost, and returns whether its budget allows it.
    ///
    /// A unix socket has no addresses and no limit. O(1), except for a scan of all addresses once a
    /// ``period`` and when there are ``mostAddresses``.
    mutating func take(_ cost: Int, of address: UInt64?, at now: Instant) -> Bool {
        guard let address else { return true }
        let isCrowded = buckets[address] == nil && buckets.count >= Self.mostAddresses
        if isCrowded || lastLook.duration(to: now) >= Self.period { forgetFull(at: now) }
        if isCrowded, buckets.count >= Self.mostAddresses { buckets = [:] }
        var own =
            buckets[address]
            ?? TokenBucket(burst: limits.requestBurst, perSecond: limits.requestRate, now: now)
        let part = limits.allRequestsRate / max(1, buckets.count)
        own.rate = Double(min(limits.requestRate, part))
        let isAllowed = own.take(cost, at: now)
        buckets[address] = own
        return isAllowed
    }

    /// Removes the addresses with full budgets.
    private mutating func forgetFull(at now: Instant) {
        lastLook = now
        buckets = buckets.filter { !$0.value.isFull(at: now) }
    }
}

/// The costs of requests for the loop, in units of about a microsecond.
enum RequestCost {
    /// A part of the list.
    static let list = 600
    /// Some rows.
    static let rows = 400
    /// The page without scripts.
    static let page = 1200
    /// All metrics.
    static let metrics = 300
    /// Another page.
    static let client = 100

    /// Returns the cost of sending a cached text.
    static func sending(_ text: [UInt8]) -> Int { 30 + text.count / 512 }
}
