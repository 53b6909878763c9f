internal import LullLibC

/// A weighted-fair order of those who share something: whoever has received the least for its weight
/// comes first.
///
/// It's start-time fair queueing (Goyal, Vin and Cheng, 1996). Each member has an account, with the
/// virtual time up to which it was served: the cost of its work so far, divided by its weight. Its
/// next piece of work starts there, or at the order's own time, which is the start of the piece that
/// was begun last: a member that wanted nothing for a while gets no credit for it.
///
/// ```swift
/// var order = FairOrder()
/// var (one, other) = (FairOrder.Account(), FairOrder.Account(weight: 3))
/// one.charge(.milliseconds(2), from: order.begin(one))
/// other.charge(.milliseconds(3), from: order.begin(other))
/// let isNext = order.start(of: other) < order.start(of: one)  // true: 1 ms for its weight, not 2
/// ```
///
/// Members that are always waiting receive the same for their weights, to within a piece of work of
/// each. O(1) for each call.
public struct FairOrder: Sendable {
    /// What a member of a fair order has received.
    public struct Account: Sendable {
        let weight: Int64
        /// The virtual time up to which the member was served.
        package private(set) var end: Int64 = 0

        /// Creates an account that has received nothing.
        ///
        /// Traps if the weight is less than one.
        public init(weight: Int = 1) {
            precondition(weight > 0, "a weight is one or more")
            self.weight = Int64(weight)
        }

        /// Charges the member for a piece of work that cost this and started at a virtual time.
        ///
        /// A cost counts as a microsecond at least, and as thirteen days at most.
        public mutating func charge(_ cost: Duration, from start: Int64) {
            charge(nanoseconds: cost.wholeNanoseconds, from: start)
        }

        @inline(__always)
        mutating func charge(nanoseconds cost: Int64, from start: Int64) {
            end = Self.sum(max(end, start), length(nanoseconds: cost))
        }

        /// Returns the virtual time at which a piece of work that costs this and starts at `start`
        /// ends.
        public func end(of cost: Duration, from start: Int64) -> Int64 {
            Self.sum(start, length(nanoseconds: cost.wholeNanoseconds))
        }

        @inline(__always)
        private func length(nanoseconds cost: Int64) -> Int64 {
            max(1, min(max(1000, cost), 1 << 50) / weight)
        }

        /// Accounts that are far ahead stay in order: the sum is clamped.
        @inline(__always)
        private static func sum(_ start: Int64, _ length: Int64) -> Int64 {
            let (sum, overflow) = start.addingReportingOverflow(length)
            return overflow ? .max : sum
        }
    }

    /// The order's virtual time: the start of the piece of work that was begun last.
    package private(set) var now: Int64 = 0

    /// Creates an order of members that have received nothing.
    public init() {}

    /// Returns the virtual time at which a member's next piece of work starts.
    @inline(__always)
    public func start(of account: Account) -> Int64 { max(account.end, now) }

    /// Begins a member's next piece of work; returns its start.
    @inline(__always) @discardableResult
    public mutating func begin(_ account: Account) -> Int64 {
        let start = start(of: account)
        now = start
        return start
    }

    /// Begins a piece of work that was given its start before.
    package mutating func begin(at start: Int64) { now = max(now, start) }

    /// Returns whether a member was served beyond the order's time; a new account takes the place of
    /// any other.
    public func isAhead(_ account: Account) -> Bool { account.end > now }
}
