internal import IdleLoop

/// A ``LoadMachine``'s state of one of a loader's lists: what it wants, and its subscriptions.
final class DemandList {
    /// A list's request for a key, with its place in the list's order.
    struct Request {
        let entry: LoadEntry
        let order: LoadOrder
    }

    /// A key to which the list has subscribed.
    private struct Subscription {
        let entry: LoadEntry
        /// The number of the subscription, which rises.
        let number: Int
        /// The version of what can be shown that was told last.
        var told: UInt64
    }

    let number: Int
    let name: String
    /// The callback for what can be shown of a key; nil once the list is closed.
    private var commit: ((LoadEntry) -> Void)?
    /// The callback for the end of half of the wanted loads.
    var onHalfDone: (() -> Void)?
    /// Whether it wants more when half of what it wants has been loaded.
    var isPartial = false
    /// The wanted keys, each once, in the order of the list's request.
    var requests: [Request] = []
    /// Whether it wants what it is about to show.
    var isMoving = false
    /// The wanted entries that weren't settled at the last count, and how many have been since.
    var unsettled = (count: 0, ended: 0)

    /// The work that it has received, by urgency.
    var accounts: [FairOrder.Account]
    /// The recent cost of its loads, with their fetches by workers.
    var usualCost: MeanDeviation?
    /// The length of its turns, the difference between real and expected costs since they were
    /// assigned, and the number of lengths after which they are assigned anew.
    var turn = (length: 0, drift: 0, tolerance: 2)

    private var subscriptions: [Int: Subscription] = [:]
    private var subscriptionNumber = 0

    init(number: Int, name: String, weight: Int, commit: @escaping (LoadEntry) -> Void) {
        self.number = number
        self.name = name
        self.commit = commit
        accounts = Array(
            repeating: FairOrder.Account(weight: weight), count: Urgency.allCases.count)
    }

    /// Gives away all that it holds, whose release may call back.
    func close() -> [Any?] {
        defer { (requests, subscriptions, onHalfDone, commit) = ([], [:], nil, nil) }
        return [requests, subscriptions, onHalfDone, commit]
    }

    /// The subscribed entries, the earliest first.
    ///
    /// O(n log n).
    var subscribed: [LoadEntry] {
        subscriptions.values.sorted { $0.number < $1.number }.map(\.entry)
    }

    var subscriptionCount: Int { subscriptions.count }

    func isSubscribed(to entry: LoadEntry) -> Bool { subscriptions[entry.slot] != nil }

    /// Begins a subscription; what can be shown by now counts as told if `isTold`.
    func subscribe(to entry: LoadEntry, isTold: Bool) {
        subscriptionNumber += 1
        subscriptions[entry.slot] = Subscription(
            entry: entry, number: subscriptionNumber, told: isTold ? entry.version : 0)
        entry.subscribers.append(number)
    }

    /// Ends a subscription.
    func unsubscribe(from entry: LoadEntry) {
        subscriptions[entry.slot] = nil
        entry.subscribers.removeAll { $0 == number }
    }

    /// Tells what can be shown of an entry, if it has subscribed to it, and wasn't told yet.
    func deliver(_ entry: LoadEntry) {
        guard let told = subscriptions[entry.slot]?.told, told < entry.version, entry.canBeShown
        else { return }
        subscriptions[entry.slot]?.told = entry.version
        commit?(entry)
    }
}
