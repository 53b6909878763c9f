internal import IdleLoop

/// Bounds what one address makes the loop do for its requests: so much at once, and so much a second.
///
/// And what all of them make it do together: if that is too much, those are refused who have used more
/// than half of what they may have at once.
///
/// Costs are those of the table in ``RequestCost``, not measured ones: whether a request is answered
/// depends on what was asked for before, and not on the machine.
struct RequestBudget {
    /// How many addresses are remembered at most.
    static let mostAddresses = 4096

    private let limits: GalleryLimits
    private var buckets: [UInt64: TokenBucket] = [:]
    /// What is left for all addresses together.
    private var all: TokenBucket

    init(_ limits: GalleryLimits) {
        self.limits = limits
        all = TokenBucket(
            burst: limits.requestBurst, perSecond: limits.allRequestsRate, now: .zero)
    }

    /// How many addresses are remembered.
    var count: Int { buckets.count }

    /// Whether an address may ask for something of this cost now; then it counts.
    ///
    /// A unix socket, which has no addresses, always may. O(1), but for a look at all addresses when there are ``mostAddresses``.
    mutating func take(_ cost: Int, of address: UInt64?, at now: Instant) -> Bool {
        guard let address else { return true }
        if buckets[address] == nil, buckets.count >= Self.mostAddresses { forgetFull(at: now) }
        var own =
            buckets[address]
            ?? TokenBucket(burst: limits.requestBurst, perSecond: limits.requestRate, now: now)
        let isAllowed = own.take(cost, at: now)
        buckets[address] = own
        return isAllowed && (all.take(cost, at: now) || own.share(at: now) >= 0.5)
    }

    /// Forgets those that have all of their budget again, and if there are none, everybody.
    private mutating func forgetFull(at now: Instant) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        if buckets.count >= Self.mostAddresses { buckets = [:] }
    }
}

/// What requests cost the loop, each in about a microsecond.
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
