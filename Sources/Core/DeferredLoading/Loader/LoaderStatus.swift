internal import IdleLoop

/// An adapter that gives rules a loader's knowledge of keys by row.
final class LoaderStatus<Key: Hashable, Value>: LoadStatus {
    private let loader: DeferredLoader<Key, Value>
    private let list: DemandList?
    private let display: RemoteDisplay<Key>?
    private let key: (Int) -> Key?
    /// A cache of the last entries, each at its row modulo the cache's size.
    ///
    /// Rules ask about the same rows in each frame, and comparing a key costs a fraction of looking
    /// it up.
    private var found: [LoadEntry?] = Array(repeating: nil, count: 256)

    init(
        _ loader: DeferredLoader<Key, Value>, _ list: DemandList?,
        on display: RemoteDisplay<Key>?, key: @escaping (Int) -> Key?
    ) {
        self.loader = loader
        self.list = list
        self.display = display
        self.key = key
    }

    /// Returns the key of a row; nil if there is nothing to load, as it has none, or is on the
    /// display.
    @inline(__always)
    private func missing(_ row: Int) -> Key? {
        guard let key = key(row), display?.has(key) != true else { return nil }
        return key
    }

    /// The state of a row that is loaded: it waits to be sent to the display, if there is one.
    private var loaded: (progress: LoadProgress, hint: Duration?) {
        display == nil ? (.settled, nil) : (.fetched, .zero)
    }

    func progress(ofRow row: Int) -> LoadProgress {
        guard let key = missing(row) else { return .settled }
        let progress = progress(of: key, row)
        return progress == .settled ? loaded.progress : progress
    }

    /// Returns the loader's progress with a key.
    @inline(__always)
    private func progress(of key: Key, _ row: Int) -> LoadProgress {
        let place = row & (found.count - 1)
        if let entry = found[place], entry.slot >= 0, loader.own(entry).key == key {
            return loader.progress(of: entry, key)
        }
        guard let entry = loader.entries[key] else { return .none }
        found[place] = entry
        return loader.progress(of: entry, key)
    }

    /// Returns the hint for a row; zero if it waits only to be sent.
    @inline(__always)
    private func hint(_ row: Int, _ cost: (Key) -> Duration?) -> Duration? {
        guard let key = missing(row) else { return nil }
        guard display == nil || progress(of: key, row) != .settled else { return .zero }
        return cost(key)
    }

    func costHint(ofRow row: Int) -> Duration? { hint(row) { loader.costHint(of: $0) } }

    func fetchHint(ofRow row: Int) -> Duration? { hint(row) { loader.fetchHint(of: $0) } }

    func forEachLoad(ofRows rows: [Int], _ body: (LoadProgress, Duration?) -> Void) {
        for row in rows {
            guard let key = missing(row) else {
                body(.settled, nil)
                continue
            }
            let progress = progress(of: key, row)
            if progress == .settled {
                body(loaded.progress, loaded.hint)
            } else {
                body(progress, loader.costHint(of: key))
            }
        }
    }

    var usualCost: Duration? { loader.machine.demand.usualCost?.mean }
    var usualFetch: Duration? { loader.usualFetch?.mean }
    var fetches: Int { loader.fetchWidth }
    var lanes: Int { loader.lanes }
    var capacity: Int? { display == nil ? loader.capacity(for: list) : nil }
    var price: WorkPrice { loader.price }
    var priceFloor: WorkPrice { loader.configuration.prices.lowerBound }
    var delivery: Duration { display?.delivery() ?? .zero }
    var transfer: Duration { display?.transfer() ?? .zero }
}
