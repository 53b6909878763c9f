internal import IdleLoop

/// The turns of addresses that wait for pictures, each with its account in a fair order.
///
/// Of those that wait, the next request is the one that would finish first. An address with few
/// requests is thus served before one that asked for many earlier.
struct FairQueue {
    /// The maximum number of addresses ahead of the order that are remembered; above it, all start
    /// anew.
    static let mostAddresses = 512

    private var order = FairOrder()
    private var accounts: [String: FairOrder.Account] = [:]

    /// The number of remembered addresses.
    var addressCount: Int { accounts.count }

    /// Returns the virtual time at which a request ends that costs this, after those of its address
    /// that end at `last`.
    func end(of cost: Duration, for address: String, after last: Int64? = nil) -> Int64 {
        let account = accounts[address] ?? .init()
        return account.end(of: cost, from: last ?? order.start(of: account))
    }

    /// Charges an address for work done for it.
    mutating func charge(_ cost: Duration, to address: String) {
        var account = accounts[address] ?? .init()
        account.charge(cost, from: order.begin(account))
        accounts[address] = account
        guard accounts.count > Self.mostAddresses else { return }
        accounts = accounts.filter { [order] in order.isAhead($0.value) }
        if accounts.count > Self.mostAddresses { reset() }
    }

    /// Forgets all addresses, for when nobody waits.
    mutating func reset() { self = FairQueue() }
}
