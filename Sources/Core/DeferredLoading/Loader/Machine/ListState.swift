internal import IdleLoop

/// A ``LoadMachine``'s state of one of a loader's lists.
class MachineList {
    final let number: Int
    final let name: String
    final var account: FairShare.Account
    /// The recent cost of this list's loads.
    final var usualCost: UsualCost?
    /// The recent cost of its fetches by workers.
    final var usualFetch: UsualCost?
    /// The entries of the wanted keys, each once, in the order of the list's request.
    final var entries: [LoadEntry] = []

    init(number: Int, name: String, weight: Int) {
        self.number = number
        self.name = name
        account = FairShare.Account(weight: weight)
    }
}

/// A loader's state of one of its lists.
final class ListState<Key: Hashable, Value>: MachineList {
    /// A callback that takes a key's state.
    typealias Commit = (_ key: Key, _ state: LoadState<Value>) -> Void

    /// A key to which the list has subscribed.
    struct Subscription {
        let entry: KeyedEntry<Key, Value>
        /// The time at which it began.
        let since: UInt64
        /// The last progress that `onProgress` was given.
        var told = ReportedProgress.placeholder
    }

    /// The callback for results; nil once the list is closed.
    private(set) var commit: Commit?
    var onProgress: Commit?
    var wanted: [Wanted<Key>] = []
    /// The number of calls of `reconcile`.
    var reconciliations = 0
    var subscriptions: [Key: Subscription] = [:]

    init(number: Int, name: String, weight: Int, commit: @escaping Commit) {
        self.commit = commit
        super.init(number: number, name: name, weight: weight)
    }

    /// The subscribed entries, the earliest first.
    ///
    /// O(n log n).
    var subscribed: [KeyedEntry<Key, Value>] {
        subscriptions.values.sorted { $0.since < $1.since }.map(\.entry)
    }

    /// Releases all entries and callbacks.
    func close() {
        let given = (commit, onProgress)
        defer { withExtendedLifetime(given) {} }  // their release may call back
        wanted = []
        entries = []
        subscriptions = [:]
        onProgress = nil
        commit = nil
    }
}

/// The progress of a key, as reported to lists.
enum ReportedProgress: Equatable {
    case placeholder
    case queued
    case fetching
    /// The load is under way; the payload is its share in sixteenths.
    case loading(Int)
    /// There is a preview; the payload is its version.
    case refined(UInt64)
    /// There is a result; the payload is its version.
    case settled(UInt64)
}
