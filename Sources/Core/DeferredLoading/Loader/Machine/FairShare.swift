internal import IdleLoop
internal import LullLibC

/// A fair scheduler that gives each of a loader's lists a share of the work according to its
/// weight.
///
/// Of several lists that want work of the same urgency, the one that has received the least for its
/// weight comes first (start-time fair queueing: Goyal, Vin and Cheng, 1996). A turn is the virtual
/// time, on a clock of each urgency, at which a piece of work begins if every piece takes its
/// expected time; the real time is charged when it is done. A list that wanted nothing for a while
/// gets no credit for it.
struct FairShare {
    /// The virtual time of a list for each urgency, in nanoseconds divided by its weight.
    struct Account {
        let weight: Int
        fileprivate var ends: [Int] = Array(repeating: 0, count: Urgency.allCases.count)
        /// The difference between real and expected time since turns were assigned.
        fileprivate(set) var drift = 0
        /// The number of charges since turns were assigned, and the number after which the drift is
        /// checked.
        fileprivate(set) var charges = 0
        fileprivate(set) var patience = 1

        init(weight: Int) {
            precondition(weight > 0, "a weight is one or more")
            self.weight = weight
        }
    }

    /// The turn of the work that was begun last, by urgency.
    private var clocks: [Int] = Array(repeating: 0, count: Urgency.allCases.count)

    func start(_ account: Account, _ urgency: Urgency) -> Int {
        max(account.ends[Int(urgency.rawValue)], clocks[Int(urgency.rawValue)])
    }

    /// Advances the clock of an urgency to the turn of work that has begun.
    mutating func begin(_ order: LoadOrder) {
        let place = Int(order.urgency.rawValue)
        clocks[place] = max(clocks[place], order.turn)
    }

    /// Charges a list for work that took `cost` in a turn.
    ///
    /// Returns true if the list needs new turns, because the expected costs are too far off.
    func charge(_ account: inout Account, _ demand: ListDemand, cost: Duration) -> Bool {
        let place = Int(demand.order.urgency.rawValue)
        let part = Self.part(cost, of: account)
        let (end, _) = max(account.ends[place], demand.order.turn).addingReportingOverflow(part)
        account.ends[place] = end
        account.drift += part - demand.length
        account.charges += 1
        return account.charges >= account.patience && abs(account.drift) > 2 * demand.length
    }

    /// Resets an account whose list has been given new turns.
    func renew(_ account: inout Account, isForDrift: Bool) {
        account.drift = 0
        account.charges = 0
        account.patience = isForDrift ? min(64, account.patience * 2) : 1
    }

    /// Returns a cost divided by an account's weight; the cost counts as twelve days at most.
    static func part(_ cost: Duration, of account: Account) -> Int {
        let counted = max(.zero, min(cost, .seconds(1 << 20)))
        return max(1, Int(counted.wholeNanoseconds) / account.weight)
    }
}
