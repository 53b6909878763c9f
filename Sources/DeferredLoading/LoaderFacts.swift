internal import IdleLoop

/// A loader's knowledge of its keys, as knowledge of rows.
struct LoaderFacts<Key: Hashable, Value>: LoadFacts {
    let loader: DeferredLoader<Key, Value>
    let key: (Int) -> Key?

    func progress(ofRow row: Int) -> LoadProgress {
        key(row).map { loader.progress(of: $0) } ?? .settled
    }

    func costHint(ofRow row: Int) -> Duration? { key(row).flatMap { loader.costHint(of: $0) } }
    func fetchHint(ofRow row: Int) -> Duration? { key(row).flatMap { loader.fetchHint(of: $0) } }
    var usualCost: Duration? { loader.usualCost?.mean }
    var usualFetch: Duration? { loader.usualFetch?.mean }
    var fetches: Int { loader.fetches }
}
