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

    /// Whether headers and footers are wanted that weren't at the last request.
    final var hasNews = false

    /// Whether events are only noted, until the list's owner has it updated.
    var waitsForUpdate: Bool { false }

    /// Shows what is in view now.
    ///
    /// It ends where a callback edits the list: another look follows.
    func look(at viewport: Viewport) { isStale = false }

    /// Returns what is to be requested when rows are wanted, and whether that isn't all.
    func request(_ wanted: [Wanted<Key>]) -> (keys: [Wanted<Key>], isCut: Bool) { (wanted, false) }

    /// Handles the loader's notification for a key.
    func take(_ state: LoadState<Value>, of key: Key) {}

    /// Shows the state of a key again.
    func refresh(_ key: Key) {}

    /// Gives away all that it holds, whose release may call back.
    func close() -> [Any?] { [] }
}

/// A display by cells: values are shown in the rows, headers and footers that are in view.
final class CellDisplay<Key: Hashable, Value, Index: ListIndex>: ListDisplay<Key, Value> {
    typealias Show = (_ index: Index, _ state: LoadState<Value>) -> Void

    /// A row, header or footer in view.
    private struct Cell {
        /// Nil if there is nothing to load.
        let key: Key?
        /// Its number in the order of appearance.
        let number: Int
        /// Whether its state is still to be shown.
        var isDue: Bool
    }

    private let loader: DeferredLoader<Key, Value>
    private let list: LoadList<Key, Value>
    private var key: ((Index) -> Key?)?
    private var layout: (([Index]) -> Void)?
    private var onLeave: ((Index) -> Void)?
    private var show: Show?
    /// The rows in view, and the headers and footers.
    private var (visible, others) = (RowSet(0..<0), [Index]())
    private var cells: [Index: Cell] = [:]
    /// The indexes in view by their keys.
    private var indexes: [Key: Set<Index>] = [:]
    /// The keys of the headers and footers, which no rule knows: they're wanted while in view.
    private var otherKeys: [Key] = []
    private var count = 0

    init(
        _ list: LoadList<Key, Value>, of loader: DeferredLoader<Key, Value>,
        _ options: ListOptions<Index>, _ key: @escaping (Index) -> Key?, _ show: @escaping Show
    ) {
        self.loader = loader
        self.list = list
        self.key = key
        self.show = show
        (layout, onLeave) = (options.layout, options.onLeave)
    }

    /// Subscribes to the keys of what is in view, and to no others.
    ///
    /// Only what comes into view is asked for its key, unless the list has changed.
    override func look(at viewport: Viewport) {
        if viewport.visibleRows != visible || isStale {
            subscribe(in: viewport)
        } else if Index.hasOthers {
            checkOthers(in: viewport)
        }
    }

    // These two by themselves, since to look up the types of their variables would cost each frame
    // more than all else in a look at a list that stands still.
    @inline(never)
    private func checkOthers(in viewport: Viewport) {
        if Index.others(in: viewport) != others { subscribe(in: viewport) }
    }

    @inline(never)
    private func subscribe(in viewport: Viewport) {
        let (asksAll, oldCells) = (isStale, cells)
        isStale = false
        layout?(Index.visible(in: viewport))
        let (rows, list) = (viewport.visibleRows, viewport.list)
        let others = Index.others(in: viewport)
        var asked: [(index: Index, key: Key?)] = []
        func ask(_ index: Index?) {
            if !isStale, let index { asked.append((index, key?(index))) }
        }
        for index in others where asksAll || oldCells[index] == nil { ask(index) }
        for row in rows where asksAll || !visible.contains(row) { ask(Index(row: row, in: list)) }
        guard !isStale else { return }
        var left = remove(all: asksAll, but: rows, Set(others), of: list)
        (visible, self.others) = (rows, others)
        let due = add(asked, oldCells)
        let keys = others.compactMap { cells[$0]?.key }
        if keys != otherKeys { (otherKeys, hasNews) = (keys, true) }
        for index in left {
            guard let key = oldCells[index]?.key, indexes[key] == nil else { continue }
            loader.unsubscribe(self.list.state, from: key)
        }
        for (index, key) in asked {
            guard let key else { continue }
            loader.subscribe(self.list.state, to: key, isTold: true)
            guard oldCells[index] == nil else { continue }
            counts.entered += 1
            if loader.isLoaded(key) { counts.ready += 1 }
        }
        left.removeAll { onLeave == nil || cells[$0] != nil }
        loader.tellLater { [self] in
            // A callback may have brought it back, and had it shown.
            for index in left where cells[index] == nil { onLeave?(index) }
            showDue(of: due)
        }
    }

    /// Removes the cells of what isn't in view any more, or all, and returns their indexes.
    private func remove(
        all: Bool, but rows: RowSet, _ others: Set<Index>, of list: ListLayout
    ) -> [Index] {
        var left: [Index] = []
        if all {
            left = cells.sorted { $0.value.number < $1.value.number }.map(\.key)
        } else {
            left = self.others.filter { !others.contains($0) }
            for row in visible where !rows.contains(row) {
                if let index = Index(row: row, in: list) { left.append(index) }
            }
        }
        for index in left {
            guard let key = cells.removeValue(forKey: index)?.key else { continue }
            indexes[key]?.remove(index)
            if indexes[key]?.isEmpty == true { indexes[key] = nil }
        }
        return left
    }

    /// Adds cells, and returns the indexes of those whose state is to be shown.
    private func add(_ asked: [(index: Index, key: Key?)], _ old: [Index: Cell]) -> [Index] {
        var due: [Index] = []
        for (index, key) in asked {
            let before = old[index]
            let isNew = before?.key != key
            count += 1
            cells[index] = Cell(
                key: key, number: count, isDue: isNew || before?.isDue == true)
            guard let key else { continue }
            indexes[key, default: []].insert(index)
            if isNew { due.append(index) }
        }
        return due
    }

    /// Wants the headers and footers in view, before all rows.
    override func request(_ wanted: [Wanted<Key>]) -> (keys: [Wanted<Key>], isCut: Bool) {
        hasNews = false
        guard !otherKeys.isEmpty else { return (wanted, false) }
        return (otherKeys.map { Wanted($0, urgency: .visible, rank: 0) } + wanted, false)
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

    /// Marks what is in view with a key as due to be shown, and returns it in order of appearance.
    private func setDue(_ key: Key) -> [Index] {
        var due: [(index: Index, number: Int)] = []
        for index in indexes[key, default: []] {
            cells[index]?.isDue = true
            due.append((index, cells[index]?.number ?? 0))
        }
        return due.sorted { $0.number < $1.number }.map(\.index)
    }

    /// Shows the states of what is due, and still in view.
    private func showDue(of due: [Index]) {
        for index in due {
            guard let cell = cells[index], cell.isDue, let key = cell.key else { continue }
            cells[index]?.isDue = false
            show?(index, loader.state(of: key))
        }
    }

    override func close() -> [Any?] {
        defer {
            (key, layout, onLeave, show) = (nil, nil, nil, nil)
            (cells, indexes, otherKeys) = ([:], [:], [])
        }
        return [key, layout, onLeave, show, cells, indexes, otherKeys]
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
