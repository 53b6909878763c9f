internal import IdleLoop

/// What a loader knows of one of its lists.
final class ListState<Key: Hashable, Value> {
    typealias Loader = DeferredLoader<Key, Value>

    /// What a cell shows.
    struct Binding {
        let entry: LoadEntry<Key, Value>
        let generation: UInt64
        /// What its callback was told last.
        var told = LoadNews.placeholder
    }

    let number: Int
    let name: String
    /// Nil once the list is closed.
    private(set) var commit: ((Loader.Commit) -> Void)?
    var onProgress: ((Loader.Progress) -> Void)?
    var account: FairShare.Account
    /// What this list's loads have cost of late.
    var usualCost: UsualCost?
    /// The recent cost of their fetches to workers.
    var usualFetch: UsualCost?
    var wanted: [Wanted<Key>] = []
    /// The entries of what is wanted, each once, in the order of `wanted`.
    var entries: [LoadEntry<Key, Value>] = []
    var bindings: [Int: Binding] = [:]

    init(
        number: Int, name: String, weight: Int, commit: @escaping (Loader.Commit) -> Void
    ) {
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
        bindings = [:]
        onProgress = nil
        commit = nil
    }
}

/// How far a value has come, as far as its cells are told of it.
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
