internal import IdleLoop

/// A bound of what one address makes the loop do for its requests, at once and a second.
///
/// The budget of all addresses per second is divided among those that have used some of theirs.
///
/// Costs are those of the table in ``RequestCost``, not measured ones: whether a request is answered
/// depends on what was asked for before, and not on the machine.
struct RequestBudget {
    /// The most addresses that are remembered.
    static let mostAddresses = 4096
    /// The time from one search for addresses with full budgets, which are forgotten, to the next.
    static let period = Duration.seconds(1)

    private let limits: GalleryLimits
    private var buckets: [UInt64: TokenBucket] = [:]
    private var lastLook = Instant.zero

    init(_ limits: GalleryLimits) {
        self.limits = limits
    }

    /// The number of addresses that are remembered.
    var count: Int { buckets.count }

    /// Charges an address with a cost, and returns whether its budget allows that.
    ///
    /// A unix socket, which has no addresses, always may. O(1), but for a look at all addresses once a
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

    /// Forgets the addresses with full budgets.
    private mutating func forgetFull(at now: Instant) {
        lastLook = now
        buckets = buckets.filter { !$0.value.isFull(at: now) }
    }
}

/// The costs of requests for the loop, each in about a microsecond.
enum RequestCost {
    /// A part of the list.
    static let list = 600
    /// Some rows.
    static let rows = 400
    /// The page without a script.
    static let page = 1200
    /// All metrics.
    static let metrics = 300
    /// A page more, or what pages there are.
    static let client = 100

    /// Sending a text again that was kept.
    static func sending(_ text: [UInt8]) -> Int { 30 + text.count / 512 }
}
