/// A list's cells on screen and in reserve, by kind, without any view.
///
/// Cells come and go in layout passes. A row that has a cell keeps it untouched; any other is lent
/// cells, of which it shows one. What a row was lent and doesn't show goes back, so a source that
/// asks for the wrong kind first strands nothing.
///
/// ```swift
/// var pool = ReusePool<Kind, Int, PhotoCell>()
/// let departed = pool.layout(viewport.visibleRows, prepare: { $0.clear() }) { row, pass in
///     var lease = pass.lend(.photo) { PhotoCell() }
///     lease.cell.title = photos[row].title
///     return lease
/// }
/// for cell in departed.hidden { cell.hide() }
/// ```
///
/// A row is lent, of the cells of that kind, the one whose row just left the screen nearest to it;
/// else the one that came into reserve last; else a new one. So a list that is reloaded gives each
/// row its own cell again, and makes none as long as the kinds and their numbers are the same.
///
/// Passes can't be nested, and nothing can be lent outside one: the pool is being changed while it's
/// laid out, and a ``Pass`` can't be kept.
public struct ReusePool<Identifier: Hashable, Index: Hashable, Cell> {
    var store: CellStore<Identifier, Index, Cell>

    /// A pool without cells.
    public init(limits: ReuseLimits<Identifier> = ReuseLimits()) {
        store = CellStore(limits: limits)
    }

    /// The limits of the reserve.
    package var limits: ReuseLimits<Identifier> { store.limits }

    /// Counts of what was done so far.
    package var statistics: ReuseStatistics { store.statistics }

    /// The number of cells on screen.
    package var onScreen: Int { store.screen.count }

    /// The number of cells in reserve.
    package var inReserve: Int { store.reserve.count }

    /// Returns the number of cells of one kind in reserve.
    package func inReserve(_ identifier: Identifier) -> Int {
        store.reserve.count { $0.identifier == identifier }
    }

    /// The cell that a row shows; nil if the row isn't on screen.
    public subscript(row: Index) -> Cell? { store.screen[row]?.cell }

    /// Changes the cell that a row shows.
    ///
    /// - Returns: Whether the row is on screen.
    @discardableResult
    public mutating func update(_ row: Index, change: (inout Cell) -> Void) -> Bool {
        store.update(row, change: change)
    }

    /// Empties the reserve, as for a lack of memory; O(cells in reserve).
    ///
    /// - Returns: The cells, those that waited longest first.
    @discardableResult
    public mutating func drain() -> [Cell] { store.drain() }

    /// Checks that every cell is in exactly one place, and that all limits hold.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        store.checkInvariants()
    }
}

extension ReusePool {
    /// Lays out the rows that are now to be seen, which lie one behind the other.
    ///
    /// O(rows + cells on screen) for all that is kept, and O(cells that left or are in reserve)
    /// for each that is lent.
    ///
    /// - Parameters:
    ///   - rows: The rows to be on screen after the pass; all others leave it.
    ///   - position: The number of the first of them, counted from the list's first row through all
    ///     sections. It says which cells are near.
    ///   - edit: What became of a row that was on screen; nil if it's gone, or if its cell is to be
    ///     asked for anew. `{ _ in nil }` reloads all.
    ///   - prepare: Clears a cell just before it's handed out again.
    ///   - cell: Gives a row without a cell one that it was lent.
    /// - Returns: The cells that left the screen or the pool.
    /// - Precondition: No row is named twice, no two rows become one, the position isn't negative,
    ///   and each row shows a cell that was lent for it.
    @discardableResult
    public mutating func layout(
        _ rows: some Collection<Index>, at position: Int,
        following edit: (Index) -> Index? = { $0 },
        prepare: (inout Cell) -> Void,
        cell: (Index, inout Pass) -> Lease
    ) -> Departed {
        precondition(position >= 0, "rows are counted from zero")
        return withoutActuallyEscaping(prepare) { prepare in
            var pass = Pass(store: CellStore(limits: limits), prepare: prepare)
            // Swapped in and out, so that it's never copied.
            swap(&store, &pass.store)
            pass.store.begin(rows, following: edit)
            for (position, row) in zip(position..., rows) {
                if pass.store.keep(row, position: position) { continue }
                pass.position = position
                let lease = cell(row, &pass)
                pass.store.settle(
                    lease.cell, number: lease.number, row: row, position: position)
            }
            let (hidden, dropped) = pass.store.end()
            swap(&store, &pass.store)
            return Departed(hidden: hidden, dropped: dropped)
        }
    }

    /// The cells that a layout pass took off the screen or out of the pool.
    public struct Departed {
        /// Those that left the screen and show no row now; some of them may be dropped too.
        public let hidden: [Cell]
        /// Those that the pool doesn't have any more.
        public let dropped: [Cell]
    }
}

extension ReusePool where Index == Int {
    /// Lays out the rows that are now to be seen, in a list whose rows are numbered from the first.
    ///
    /// As ``layout(_:at:following:prepare:cell:)``, at the first of these rows.
    @discardableResult
    public mutating func layout(
        _ rows: Range<Int>, following edit: (Int) -> Int? = { $0 },
        prepare: (inout Cell) -> Void,
        cell: (Int, inout Pass) -> Lease
    ) -> Departed {
        layout(rows, at: rows.lowerBound, following: edit, prepare: prepare, cell: cell)
    }
}

extension ReusePool {
    /// A layout pass at the row that needs a cell.
    ///
    /// ```swift
    /// pass.lend(.photo) { PhotoCell() }
    /// ```
    public struct Pass: ~Copyable {
        var store: CellStore<Identifier, Index, Cell>
        let prepare: (inout Cell) -> Void
        var position = 0

        /// Lends the row a cell of this kind, prepared, or a new one.
        ///
        /// Asking twice lends two. All but the one that the row shows go back when it has one.
        public mutating func lend(_ identifier: Identifier, make: () -> Cell) -> Lease {
            let (cell, number) = store.lend(
                identifier, position: position, prepare: prepare, make: make)
            return Lease(cell: cell, number: number)
        }
    }

    /// A cell lent to one row until it has been laid out.
    public struct Lease {
        /// The cell, for the row to fill; a changed value is kept if the row shows it.
        public var cell: Cell

        /// Tells the lease from all others.
        let number: Int
    }
}

extension ReusePool: Sendable where Identifier: Sendable, Index: Sendable, Cell: Sendable {}
extension ReusePool.Departed: Sendable where Cell: Sendable {}
extension ReusePool.Lease: Sendable where Cell: Sendable {}
