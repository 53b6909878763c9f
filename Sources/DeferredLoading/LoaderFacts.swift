internal import IdleLoop

/// A loader's knowledge of its keys, as knowledge of rows.
struct LoaderFacts<Key: Hashable, Value>: LoadFacts {
    let loader: DeferredLoader<Key, Value>
    let key: (Int) -> Key?

    func progress(ofRow row: Int) -> LoadProgress {
        guard let key = key(row) else { return .settled }
        return loader.progress(of: key)
    }

    func costHint(ofRow row: Int) -> Duration? {
        guard let key = key(row) else { return nil }
        return loader.costHint(of: key)
    }

    func fetchHint(ofRow row: Int) -> Duration? {
        guard let key = key(row) else { return nil }
        return loader.fetchHint(of: key)
    }

    func forEachLoad(ofRows rows: [Int], _ body: (LoadProgress, Duration?) -> Void) {
        for row in rows {
            if let key = key(row) {
                let progress = loader.progress(of: key)
                body(progress, progress == .settled ? nil : loader.costHint(of: key))
            } else {
                body(.settled, nil)
            }
        }
    }

    var usualCost: Duration? { loader.usualCost?.mean }
    var usualFetch: Duration? { loader.usualFetch?.mean }
    var fetches: Int { loader.fetches }
}
