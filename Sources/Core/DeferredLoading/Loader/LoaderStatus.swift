internal import IdleLoop

/// An adapter that gives rules a loader's knowledge of keys by row.
final class LoaderStatus<Key: Hashable, Value>: LoadStatus {
    private let loader: DeferredLoader<Key, Value>
    private let list: ListState<Key, Value>?
    private let key: (Int) -> Key?
    /// A cache of the last entries, each at its row modulo the cache's size.
    ///
    /// Rules ask about the same rows in each frame, and comparing a key costs a fraction of looking
    /// it up.
    private var found: [LoadEntry?] = Array(repeating: nil, count: 256)

    init(
        _ loader: DeferredLoader<Key, Value>, _ list: ListState<Key, Value>?,
        key: @escaping (Int) -> Key?
    ) {
        self.loader = loader
        self.list = list
        self.key = key
    }

    func progress(ofRow row: Int) -> LoadProgress {
        guard let key = key(row) else { return .settled }
        return progress(of: key, row)
    }

    @inline(__always)
    private func progress(of key: Key, _ row: Int) -> LoadProgress {
        let place = row & (found.count - 1)
        // A checked cast takes longer than a look-up of the key; all of the loader's entries are of
        // this type.
        if let entry = found[place], !entry.isGone,
            unsafe unsafeDowncast(entry, to: KeyedEntry<Key, Value>.self).key == key
        {
            return loader.progress(of: entry, key)
        }
        let entry = loader.anyEntry(of: key)
        found[place] = entry
        return entry.map { loader.progress(of: $0, key) } ?? .none
    }

    func costHint(ofRow row: Int) -> Duration? {
        key(row).flatMap { loader.costHint(of: $0) }
    }

    func fetchHint(ofRow row: Int) -> Duration? {
        key(row).flatMap { loader.fetchHint(of: $0) }
    }

    func forEachLoad(ofRows rows: [Int], _ body: (LoadProgress, Duration?) -> Void) {
        for row in rows {
            if let key = key(row) {
                let progress = progress(of: key, row)
                body(progress, progress == .settled ? nil : loader.costHint(of: key))
            } else {
                body(.settled, nil)
            }
        }
    }

    var usualCost: Duration? { loader.usualCost?.mean }
    var usualFetch: Duration? { loader.usualFetch?.mean }
    var fetches: Int { loader.fetches.width }
    var capacity: Int? { loader.capacity(for: list) }
    var price: WorkPrice { loader.price }
    var priceFloor: WorkPrice { loader.configuration.prices.lowerBound }
}
