internal import IdleLoop

/// A loader's state of one of its lists: what it wants, its subscriptions and its callbacks.
final class ListState<Key: Hashable, Value>: DemandList {
    typealias Entry = KeyedEntry<Key, Value>
    typealias Callback = (_ key: Key, _ state: LoadState<Value>) -> Void

    /// A key to which the list has subscribed.
    private struct Subscription {
        let entry: Entry
        /// The time at which it began.
        let since: UInt64
    }

    /// The callback for results; nil once the list is closed.
    private var commit: Callback?
    /// The callback for the end of half of the wanted loads.
    var onHalfDone: (() -> Void)?
    private(set) var wanted: [Wanted<Key>] = []
    /// The number of updates that have begun.
    private var updates = 0
    private var subscriptions: [Key: Subscription] = [:]

    init(number: Int, name: String, weight: Int, commit: @escaping Callback) {
        self.commit = commit
        super.init(number: number, name: name, weight: weight)
    }

    override func close() {
        let given = (commit, onHalfDone)
        defer { withExtendedLifetime(given) {} }  // their release may call back
        wanted = []
        super.close()
        subscriptions = [:]
        onHalfDone = nil
        commit = nil
    }

    /// Begins an update of what is wanted, and returns its number.
    func beginUpdate() -> Int {
        updates += 1
        return updates
    }

    /// Completes an update; returns false if another has begun since.
    func complete(_ update: Int, with wanted: [Wanted<Key>]) -> Bool {
        guard update == updates else { return false }
        self.wanted = wanted
        return true
    }

    // MARK: - Subscriptions

    /// The subscribed entries, the earliest first.
    ///
    /// O(n log n).
    var subscribed: [Entry] {
        // Not by a key path, which would be resolved anew each time in generic code.
        subscriptions.values.sorted { $0.since < $1.since }.map { $0.entry }
    }

    var subscriptionCount: Int { subscriptions.count }

    func isSubscribed(to key: Key) -> Bool { subscriptions[key] != nil }

    func subscribe(to entry: Entry, since: UInt64) {
        subscriptions[entry.key] = Subscription(entry: entry, since: since)
    }

    /// Ends a subscription; returns its entry, if there was one.
    func unsubscribe(from key: Key) -> Entry? {
        subscriptions.removeValue(forKey: key)?.entry
    }

    /// Returns whether the subscription to a key that began at a time has not ended.
    func isSubscribed(to key: Key, since: UInt64) -> Bool { subscriptions[key]?.since == since }

    /// Delivers what can be shown of an entry, if the subscription that began at `since` has not
    /// ended: a callback may have closed the list, or subscribed it again, which delivers the state.
    func deliver(_ entry: Entry, since: UInt64) {
        guard isSubscribed(to: entry.key, since: since) else { return }
        let state = entry.state
        switch state {
        case .refined, .loaded, .failed: commit?(entry.key, state)
        case .placeholder, .queued, .fetching, .loading: break
        }
    }
}
