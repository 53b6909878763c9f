internal import LullLibC

/// The cells of a reuse pool, with their states and the transitions between these.
///
/// A cell is in exactly one state: on screen; left, if its row has left the screen in the current
/// pass; dequeued for the row that is being laid out; or in reserve.
///
/// ```text
/// screen ▶ left ▶ dequeued ▶ screen           within one pass
/// screen ▶ left ▶ reserve ▶ dequeued ▶ …      if it isn't reused at once
/// ```
///
/// A dequeued cell that isn't shown returns to its previous state.
struct CellStore<Identifier: Hashable, Index: Hashable, Cell> {
    struct Entry {
        let identifier: Identifier
        var cell: Cell
        /// The number of the row that it shows or showed last.
        var position: Int
        /// The pass in which it was last placed on screen or put into reserve.
        var pass: Int
    }

    /// The maximum number of cells in reserve for each identifier that has no limit of its own.
    private let capacity: Int
    /// The limits of single identifiers; with 0, none of its cells is kept.
    private let capacities: [Identifier: Int]
    /// The number of layout passes after which a cell in reserve is dropped; nil for no limit.
    private let age: Int?

    /// The cells on screen, by row.
    private(set) var screen: [Index: Entry] = [:]
    /// The cells that left the screen in the current pass, in any order.
    private var left: [Entry] = []
    /// The cells in reserve, the one that has been there longest first.
    private(set) var reserve: [Entry] = []
    /// The cells dequeued for the current row, and whether each has left the screen in this pass.
    private var dequeued: [(number: Int, entry: Entry, hasLeft: Bool)] = []
    private(set) var dequeuedCount = 0
    private(set) var createdCount = 0
    private var pass = 0

    init(capacity: Int = 0, capacities: [Identifier: Int] = [:], age: Int? = nil) {
        self.capacity = capacity
        self.capacities = capacities
        self.age = age
    }

    /// Returns the maximum number of cells in reserve for an identifier.
    private func limit(of identifier: Identifier) -> Int { capacities[identifier] ?? capacity }

    /// Begins a pass: the cells of all rows except these leave the screen.
    ///
    /// O(rows + cells on screen).
    mutating func begin(_ rows: some Collection<Index>, following edit: (Index) -> Index?) {
        pass += 1
        let wanted = Set(rows)
        let before = screen.sorted { $0.value.position < $1.value.position }
        screen.removeAll(keepingCapacity: true)
        for (old, entry) in before {
            if let row = edit(old), wanted.contains(row) {
                let other = screen.updateValue(entry, forKey: row)
                precondition(other == nil, "two rows don't become one")
            } else {
                left.append(entry)
            }
        }
    }

    /// Keeps the cell of a row that is on screen already.
    ///
    /// - Returns: Whether there is one.
    mutating func keep(_ row: Index, position: Int) -> Bool {
        guard let place = screen.index(forKey: row) else { return false }
        precondition(screen.values[place].pass != pass, "a row is laid out once in a pass")
        screen.values[place].position = position
        screen.values[place].pass = pass
        return true
    }

    /// Dequeues a cell for the row at `position`; O(cells that left or are in reserve).
    mutating func dequeue(
        _ identifier: Identifier, position: Int, prepare: (inout Cell) -> Void, make: () -> Cell
    ) -> (cell: Cell, number: Int) {
        let near = takeLeft(identifier, nearestTo: position)
        var entry: Entry
        if let used = near ?? takeNewest(identifier) {
            entry = used
            prepare(&entry.cell)
        } else {
            entry = Entry(identifier: identifier, cell: make(), position: position, pass: pass)
            createdCount += 1
        }
        dequeuedCount += 1
        dequeued.append((dequeuedCount, entry, near != nil))
        return (entry.cell, dequeuedCount)
    }

    /// Shows one of the dequeued cells in its row, and returns the others to their states.
    mutating func show(_ cell: Cell, number: Int, row: Index, position: Int) {
        let shown = dequeued.firstIndex { $0.number == number }
        guard let shown else { preconditionFailure("a row shows a cell that was dequeued for it") }
        let identifier = dequeued.remove(at: shown).entry.identifier
        screen[row] = Entry(identifier: identifier, cell: cell, position: position, pass: pass)
        for (_, entry, hasLeft) in dequeued {
            if hasLeft { left.append(entry) } else { recycle(entry) }
        }
        dequeued.removeAll(keepingCapacity: true)
    }

    /// Ends a pass: cells that left go into reserve, and cells over the limits are dropped.
    ///
    /// O(cells that left + cells in reserve).
    mutating func end() -> (hidden: [Cell], dropped: [Cell]) {
        let hidden = left.sorted { $0.position < $1.position }
        left.removeAll(keepingCapacity: true)
        for entry in hidden { recycle(entry) }
        return (hidden.map(\.cell), trim())
    }

    /// Changes the cell on screen at a row.
    ///
    /// - Returns: Whether there is one.
    mutating func update(_ row: Index, change: (inout Cell) -> Void) -> Bool {
        guard let place = screen.index(forKey: row) else { return false }
        change(&screen.values[place].cell)
        return true
    }

    /// Removes and returns the cell of the nearest row; of two equally near rows, the one before.
    private mutating func takeLeft(_ identifier: Identifier, nearestTo position: Int) -> Entry? {
        let nearest = left.indices.filter { left[$0].identifier == identifier }.min {
            let (one, other) = (left[$0].position, left[$1].position)
            return (abs(one - position), one) < (abs(other - position), other)
        }
        return nearest.map { left.remove(at: $0) }
    }

    private mutating func takeNewest(_ identifier: Identifier) -> Entry? {
        reserve.lastIndex { $0.identifier == identifier }.map { reserve.remove(at: $0) }
    }

    private mutating func recycle(_ entry: Entry) {
        reserve.append(entry)
        reserve[reserve.count - 1].pass = pass
    }

    private mutating func trim() -> [Cell] {
        let old = reserve.prefix { entry in age.map { pass - entry.pass >= $0 } ?? false }
        var dropped = old.map(\.cell)
        reserve.removeFirst(dropped.count)
        guard reserve.last?.pass == pass else { return dropped }
        var excess: [Identifier: Int] = [:]
        for entry in reserve {
            let identifier = entry.identifier
            excess[identifier, default: -limit(of: identifier)] += 1
        }
        reserve = reserve.filter { entry in
            guard let more = excess[entry.identifier], more > 0 else { return true }
            excess[entry.identifier] = more - 1
            dropped.append(entry.cell)
            return false
        }
        return dropped
    }

    /// Checks that all limits hold, and that every cell is in one state.
    ///
    /// O(n), between passes, for tests.
    func checkInvariants() {
        precondition(left.isEmpty && dequeued.isEmpty, "no cell stays dequeued after a pass")
        precondition(
            Set(screen.values.map(\.position)).count == screen.count,
            "each row on screen has a position")
        for (identifier, cells) in Dictionary(grouping: reserve, by: \.identifier) {
            precondition(cells.count <= limit(of: identifier), "a reserve has its limit")
        }
        let since = reserve.map(\.pass)
        precondition(since == since.sorted(), "a reserve is sorted by age")
        precondition(
            age.map { age in since.allSatisfy { pass - $0 < max(age, 1) } } ?? true,
            "nothing waits longer than it may")
    }
}

extension CellStore: Sendable where Identifier: Sendable, Index: Sendable, Cell: Sendable {}
extension CellStore.Entry: Sendable where Identifier: Sendable, Index: Sendable, Cell: Sendable {}
