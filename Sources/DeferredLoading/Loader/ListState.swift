internal import IdleLoop

/// What a loader knows of one of its lists.
final class ListState<Key: Hashable, Value> {
    /// Takes a key's state.
    typealias Commit = (_ key: Key, _ state: LoadState<Value>) -> Void

    /// A key that the list is told of.
    struct Subscription {
        let entry: LoadEntry<Key, Value>
        /// When it began.
        let since: UInt64
        /// What `onProgress` was told last.
        var told = LoadNews.placeholder
    }

    let number: Int
    let name: String
    /// Nil once the list is closed.
    private(set) var commit: Commit?
    var onProgress: Commit?
    var account: FairShare.Account
    /// The subscribed keys, the earliest first.
    ///
    /// O(n log n).
    var subscribed: [Key] {
        subscriptions.sorted { $0.value.since < $1.value.since }.map(\.key)
    }
    /// What this list's loads have cost of late.
    var usualCost: UsualCost?
    /// The recent cost of their fetches to workers.
    var usualFetch: UsualCost?
    var wanted: [Wanted<Key>] = []
    /// How often it has said what it wants.
    var reconciliations = 0
    /// The entries of what is wanted, each once, in the order of `wanted`.
    var entries: [LoadEntry<Key, Value>] = []
    var subscriptions: [Key: Subscription] = [:]

    init(number: Int, name: String, weight: Int, commit: @escaping Commit) {
        self.number = number
        self.name = name
        self.commit = commit
        account = FairShare.Account(weight: weight)
    }

    /// Lets go of all it knows, its callbacks too.
    func close() {
        let given = (commit, onProgress)
        defer { withExtendedLifetime(given) {} }  // which may call back as it goes
        wanted = []
        entries = []
        subscriptions = [:]
        onProgress = nil
        commit = nil
    }
}

/// How far a value has come, as far as lists are told of it.
enum LoadNews: Equatable {
    case placeholder
    case queued
    case fetching
    /// With what is done, in sixteenths.
    case loading(Int)
    /// With the number of the preview.
    case refined(UInt64)
    /// With the number of the result.
    case settled(UInt64)
}
