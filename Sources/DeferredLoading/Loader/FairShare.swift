internal import IdleLoop

/// Gives the lists of a loader their turns, so that each has its part of the work by its weight.
///
/// Of several lists that want work of the same urgency, the one that has had the least for its
/// weight comes first (start-time fair queueing: Goyal, Vin and Cheng, 1996). A turn is the time, on
/// a clock of the urgency's own, at which a list's work begins if every piece takes what is expected
/// of it; what it really took is charged when it's done. A list that wanted nothing for a while gets
/// nothing back for it.
struct FairShare {
    /// A list's time on the clock of each urgency, in nanoseconds for its weight.
    struct Account {
        let weight: Int
        fileprivate var ends: [Int] = Array(repeating: 0, count: Urgency.allCases.count)
        /// The time its work took beyond its turns, since they were given.
        fileprivate(set) var drift = 0
        /// The turns charged since they were given, and the number after which they're looked at.
        fileprivate(set) var charges = 0
        fileprivate(set) var patience = 1

        init(weight: Int) {
            precondition(weight > 0, "a weight is one or more")
            self.weight = weight
        }
    }

    /// The turn of what was begun last, by urgency.
    private var clocks: [Int] = Array(repeating: 0, count: Urgency.allCases.count)

    /// When a list's next turn comes.
    func start(_ account: Account, _ urgency: Urgency) -> Int {
        max(account.ends[Int(urgency.rawValue)], clocks[Int(urgency.rawValue)])
    }

    /// Something has begun in its turn: the clock of its urgency is as far.
    mutating func begin(_ level: WishLevel) {
        let place = Int(level.urgency.rawValue)
        clocks[place] = max(clocks[place], level.turn)
    }

    /// Charges a list for work that took `cost` in a turn.
    ///
    /// True if it's time to give the list new turns, as these are too far from the truth.
    func charge(_ account: inout Account, _ wish: ListWish, cost: Duration) -> Bool {
        let place = Int(wish.urgency.rawValue)
        let part = Self.part(cost, of: account)
        let (end, _) = max(account.ends[place], wish.turn).addingReportingOverflow(part)
        account.ends[place] = end
        account.drift += part - wish.length
        account.charges += 1
        return account.charges >= account.patience && abs(account.drift) > 2 * wish.length
    }

    /// A list has new turns, which are right for now.
    func renew(_ account: inout Account, isForDrift: Bool) {
        account.drift = 0
        account.charges = 0
        account.patience = isForDrift ? min(64, account.patience * 2) : 1
    }

    /// Returns a cost's share for an account's weight, of twelve days at most.
    static func part(_ cost: Duration, of account: Account) -> Int {
        let (seconds, attoseconds) = cost.components
        let nanoseconds =
            min(max(0, seconds), 1 << 20) * 1_000_000_000 + attoseconds / 1_000_000_000
        return max(1, Int(max(0, nanoseconds)) / account.weight)
    }
}
