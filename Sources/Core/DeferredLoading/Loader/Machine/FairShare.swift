internal import IdleLoop

/// The fair orders of a loader's lists, one for each urgency.
///
/// Of several lists that want work of the same urgency, the one that has received the least for its
/// weight comes first; see ``FairOrder``. A turn is the virtual time at which a piece of work begins
/// if every piece takes its expected time; the real time is charged when it is done.
struct FairShare {
    /// What a list has received.
    struct Account {
        fileprivate var parts: [FairOrder.Account]
        /// The difference between real and expected time since turns were assigned.
        fileprivate(set) var drift = 0
        /// The number of charges since turns were assigned, and the number after which the drift is
        /// checked.
        fileprivate(set) var charges = 0
        fileprivate(set) var patience = 1

        init(weight: Int) {
            parts = Array(
                repeating: FairOrder.Account(weight: weight), count: Urgency.allCases.count)
        }

        /// Returns the virtual time that work of this cost takes.
        func length(of cost: Duration) -> Int { Int(parts[0].end(of: cost, from: 0)) }
    }

    private var orders = Array(repeating: FairOrder(), count: Urgency.allCases.count)

    func start(_ account: Account, _ urgency: Urgency) -> Int {
        let place = Int(urgency.rawValue)
        return Int(orders[place].start(of: account.parts[place]))
    }

    /// Advances the time of an urgency to the turn of work that has begun.
    mutating func begin(_ order: LoadOrder) {
        orders[Int(order.urgency.rawValue)].begin(at: Int64(order.turn))
    }

    /// Charges a list for work that took `cost` in a turn.
    ///
    /// Returns true if the list needs new turns, because the expected costs are too far off.
    func charge(_ account: inout Account, _ demand: ListDemand, cost: Duration) -> Bool {
        let place = Int(demand.order.urgency.rawValue)
        account.parts[place].charge(cost, from: Int64(demand.order.turn))
        account.drift += account.length(of: cost) - demand.length
        account.charges += 1
        return account.charges >= account.patience && abs(account.drift) > 2 * demand.length
    }

    /// Resets an account whose list has been given new turns.
    func renew(_ account: inout Account, isForDrift: Bool) {
        account.drift = 0
        account.charges = 0
        account.patience = isForDrift ? min(64, account.patience * 2) : 1
    }
}
