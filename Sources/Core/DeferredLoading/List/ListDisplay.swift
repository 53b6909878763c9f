internal import IdleLoop
internal import ScrollModel

/// The way in which a list's rows are shown: by cells of this process, or by another process.
///
/// A list with a display of this class itself is closed: it shows nothing.
class ListDisplay<Key: Hashable, Value> {
    typealias Statistics = DeferredList<Key, Value>.Statistics

    /// The counts of what was shown.
    final var counts = Statistics()
    /// Whether rows may have other keys than at the last look.
    final var isStale = true

    /// Whether events are only noted, until the list's owner has it updated.
    var waitsForUpdate: Bool { false }

    /// Shows the rows that are in view now.
    ///
    /// It ends where a callback edits the list: another look follows.
    func look(at rows: RowSet, key: (Int) -> Key?) { isStale = false }

    /// Returns what is to be requested of what is wanted, and whether that isn't all.
    func request(_ wanted: [Wanted<Key>]) -> (keys: [Wanted<Key>], isCut: Bool) { (wanted, false) }

    /// Handles the loader's notification for a key.
    func take(_ state: LoadState<Value>, of key: Key) {}

    /// Shows the state of a key again.
    func refresh(_ key: Key) {}

    /// Gives away all that it holds, whose release may call back.
    func close() -> [Any?] { [] }
}

/// A display of rows by cells: values are shown in the rows that are in view.
final class CellDisplay<Key: Hashable, Value>: ListDisplay<Key, Value> {
    typealias Show = (_ row: Int, _ state: LoadState<Value>) -> Void
    /// Lays out cells for the rows that are in view now.
    typealias Layout = (_ rows: RowSet) -> Void

    /// A row in view that has a key.
    private struct Cell {
        let key: Key
        /// Whether its state is still to be shown.
        var isDue: Bool
    }

    private let loader: DeferredLoader<Key, Value>
    private let list: LoadList<Key, Value>
    private var layout: Layout?
    private var show: Show?
    private var visible = RowSet(0..<0)
    private var cells: [Int: Cell] = [:]
    /// The rows in view by their keys.
    private var rows: [Key: Set<Int>] = [:]

    init(
        _ list: LoadList<Key, Value>, of loader: DeferredLoader<Key, Value>, _ layout: Layout?,
        _ show: @escaping Show
    ) {
        self.loader = loader
        self.list = list
        self.layout = layout
        self.show = show
    }

    /// Subscribes to the keys of the rows in view, and to no others.
    ///
    /// Only rows that come into view are asked for their keys, unless the list has changed.
    override func look(at range: RowSet, key: (Int) -> Key?) {
        if range != visible || isStale { subscribe(to: range, key) }
    }

    // By itself, since to look up the types of its variables would cost each frame more than all else
    // in a look at a list that stands still.
    @inline(never)
    private func subscribe(to range: RowSet, _ key: (Int) -> Key?) {
        let (old, oldCells, asksAll) = (visible, cells, isStale)
        isStale = false
        layout?(range)
        var asked: [(row: Int, key: Key)] = []
        for row in range where asksAll || !old.contains(row) {
            if !isStale, let key = key(row) { asked.append((row, key)) }
        }
        guard !isStale else { return }
        visible = range
        var left: [Key] = []
        for row in old where asksAll || !range.contains(row) {
            guard let key = cells.removeValue(forKey: row)?.key else { continue }
            rows[key]?.remove(row)
            if rows[key]?.isEmpty == true {
                rows[key] = nil
                left.append(key)
            }
        }
        var due: [Int] = []
        for (row, key) in asked {
            let isNew = oldCells[row]?.key != key
            cells[row] = Cell(key: key, isDue: isNew || oldCells[row]?.isDue == true)
            rows[key, default: []].insert(row)
            if isNew { due.append(row) }
        }
        for key in left where rows[key] == nil { loader.unsubscribe(list.state, from: key) }
        for (row, key) in asked {
            loader.subscribe(list.state, to: key, isTold: true)
            guard !old.contains(row) else { continue }
            counts.entered += 1
            if loader.isLoaded(key) { counts.ready += 1 }
        }
        loader.tellLater { [self] in showDue(of: due) }
    }

    override func take(_ state: LoadState<Value>, of key: Key) {
        let due = setDue(key)
        switch state {
        case .loaded: counts.loaded += due.count
        case .failed: counts.failed += due.count
        case .placeholder, .queued, .fetching, .loading, .refined: break
        }
        showDue(of: due)
    }

    override func refresh(_ key: Key) {
        let due = setDue(key)
        loader.tellLater { [self] in showDue(of: due) }
    }

    /// Marks a key's rows as due to be shown, and returns them in order.
    private func setDue(_ key: Key) -> [Int] {
        let due = rows[key, default: []].sorted()
        for row in due { cells[row]?.isDue = true }
        return due
    }

    /// Shows the states of rows that are due, and still in view.
    private func showDue(of rows: [Int]) {
        for row in rows {
            guard let cell = cells[row], cell.isDue else { continue }
            cells[row]?.isDue = false
            show?(row, loader.state(of: cell.key))
        }
    }

    override func close() -> [Any?] {
        defer { (layout, show, cells, rows) = (nil, nil, [:], [:]) }
        return [layout, show, cells, rows]
    }
}

/// A display elsewhere: it is sent what is wanted, and keeps it.
final class SendingDisplay<Key: Hashable, Value>: ListDisplay<Key, Value> {
    /// Sends a value or a failure.
    typealias Send = (_ key: Key, _ state: LoadState<Value>) -> Void

    private let loader: DeferredLoader<Key, Value>
    private let list: LoadList<Key, Value>
    private var facts: RemoteDisplay<Key>?
    private var send: Send?

    init(
        _ list: LoadList<Key, Value>, of loader: DeferredLoader<Key, Value>,
        _ facts: RemoteDisplay<Key>, _ send: @escaping Send
    ) {
        self.loader = loader
        self.list = list
        self.facts = facts
        self.send = send
    }

    override var waitsForUpdate: Bool { true }

    /// Subscribes to what is loaded and what is admitted of the rest, so that it is sent.
    override func request(_ wanted: [Wanted<Key>]) -> (keys: [Wanted<Key>], isCut: Bool) {
        guard let facts else { return ([], false) }
        var missing: [Wanted<Key>] = []
        var sent: Set<Key> = []
        var seen: Set<Key> = []
        for wish in wanted where !facts.has(wish.key) && seen.insert(wish.key).inserted {
            if loader.isLoaded(wish.key) {
                sent.insert(wish.key)
            } else {
                missing.append(wish)
            }
        }
        let count = min(max(0, facts.admits(missing)), missing.count)
        let requested = Array(missing.prefix(count))
        let keys = sent.union(requested.lazy.map(\.key))
        for key in list.subscriptions where !keys.contains(key) {
            loader.unsubscribe(list.state, from: key)
        }
        for wish in wanted where keys.contains(wish.key) {
            loader.subscribe(list.state, to: wish.key)
        }
        // If all that was named was there, no load's end asks for what the rule has left out.
        let isPart = list.isPartial && !sent.isEmpty && missing.isEmpty
        return (requested, count < missing.count || isPart)
    }

    /// Sends a value, or a failure that isn't retried automatically.
    override func take(_ state: LoadState<Value>, of key: Key) {
        switch state {
        case .loaded: counts.loaded += 1
        case .failed(_, nextTry: nil): counts.failed += 1
        default: return
        }
        list.unsubscribe(from: key)
        send?(key, state)
    }

    override func close() -> [Any?] {
        defer { (facts, send) = (nil, nil) }
        return [facts, send]
    }
}
