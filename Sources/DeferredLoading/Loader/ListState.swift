internal import IdleLoop

/// A ``LoadMachine``'s state of one of a loader's lists.
class MachineList {
    final let number: Int
    final let name: String
    final var account: FairShare.Account
    /// The recent cost of this list's loads.
    final var usualCost: UsualCost?
    /// The recent cost of their fetches to workers.
    final var usualFetch: UsualCost?
    /// The entries of what is wanted, each once, in the order in which it was said.
    final var entries: [LoadEntry] = []

    init(number: Int, name: String, weight: Int) {
        self.number = number
        self.name = name
        account = FairShare.Account(weight: weight)
    }
}

/// A loader's state of one of its lists.
final class ListState<Key: Hashable, Value>: MachineList {
    /// Takes a key's state.
    typealias Commit = (_ key: Key, _ state: LoadState<Value>) -> Void

    /// A key that the list is told of.
    struct Subscription {
        let entry: KeyedEntry<Key, Value>
        /// When it began.
        let since: UInt64
        /// The last that `onProgress` was told.
        var told = ReportedProgress.placeholder
    }

    /// Nil once the list is closed.
    private(set) var commit: Commit?
    var onProgress: Commit?
    var wanted: [Wanted<Key>] = []
    /// The number of its reconciliations.
    var reconciliations = 0
    var subscriptions: [Key: Subscription] = [:]

    init(number: Int, name: String, weight: Int, commit: @escaping Commit) {
        self.commit = commit
        super.init(number: number, name: name, weight: weight)
    }

    /// The entries it is told of, the earliest first.
    ///
    /// O(n log n).
    var subscribed: [KeyedEntry<Key, Value>] {
        subscriptions.values.sorted { $0.since < $1.since }.map(\.entry)
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

/// The progress of a key, as far as lists are told of it.
enum ReportedProgress: Equatable {
    case placeholder
    case queued
    case fetching
    /// With what is done, in sixteenths.
    case loading(Int)
    /// With the version of the preview.
    case refined(UInt64)
    /// With the version of the result.
    case settled(UInt64)
}
