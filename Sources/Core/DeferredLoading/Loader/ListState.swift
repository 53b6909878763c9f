internal import IdleLoop

/// A loader's state of one of its lists: what it wants, its subscriptions and its callbacks.
final class ListState<Key: Hashable, Value>: DemandList {
    typealias Entry = KeyedEntry<Key, Value>
    typealias Callback = (_ key: Key, _ state: LoadState<Value>) -> Void

    /// A key to which the list has subscribed.
    private struct Subscription {
        let entry: Entry
        /// The number of the subscription, which rises.
        let number: Int
        /// The version of what can be shown that was told last.
        var told: UInt64
    }

    /// The callback for results; nil once the list is closed.
    private var commit: Callback?
    /// The callback for the end of half of the wanted loads.
    var onHalfDone: (() -> Void)?
    var wanted: [Wanted<Key>] = []
    private var subscriptions: [Key: Subscription] = [:]
    private var subscriptionNumber = 0

    init(number: Int, name: String, weight: Int, commit: @escaping Callback) {
        self.commit = commit
        super.init(number: number, name: name, weight: weight)
    }

    /// Gives away all that it holds, whose release may call back.
    func close() -> AnyObject {
        let held = Released([wanted, subscriptions, commit, onHalfDone])
        entries = []
        (wanted, subscriptions, onHalfDone, commit) = ([], [:], nil, nil)
        return held
    }

    /// The subscribed entries, the earliest first.
    ///
    /// O(n log n).
    var subscribed: [Entry] {
        // Not by a key path, which would be resolved anew each time in generic code.
        subscriptions.values.sorted { $0.number < $1.number }.map { $0.entry }
    }

    var subscriptionCount: Int { subscriptions.count }

    func isSubscribed(to key: Key) -> Bool { subscriptions[key] != nil }

    /// Begins a subscription; what can be shown by now counts as told if `isTold`.
    func subscribe(to entry: Entry, isTold: Bool) {
        subscriptionNumber += 1
        subscriptions[entry.key] = Subscription(
            entry: entry, number: subscriptionNumber, told: isTold ? entry.version : 0)
    }

    /// Ends a subscription; returns its entry, if there was one.
    func unsubscribe(from key: Key) -> Entry? {
        subscriptions.removeValue(forKey: key)?.entry
    }

    /// Tells what can be shown of an entry, if it has subscribed to it, and wasn't told yet.
    func deliver(_ entry: Entry) {
        guard let place = subscriptions.index(forKey: entry.key),
            subscriptions.values[place].told < entry.version, entry.canBeShown
        else { return }
        subscriptions.values[place].told = entry.version
        commit?(entry.key, entry.state)
    }
}
