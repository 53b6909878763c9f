internal import LullLibC

/// A reuse pool: a list's cells on screen and in reserve, by kind, independent of views.
///
/// Cells change places in layout passes. A row that has a cell keeps it unchanged; for any other
/// row cells are dequeued, of which it shows one. The others return to the pool, so a source may
/// ask for the wrong kind first.
///
/// ```swift
/// var pool = ReusePool<Kind, Int, PhotoCell>()
/// let removed = pool.layout(viewport.visibleRows, prepare: { $0.clear() }) { row, pass in
///     var dequeued = pass.dequeue(.photo) { PhotoCell() }
///     dequeued.cell.title = photos[row].title
///     return dequeued
/// }
/// for cell in removed.hidden { cell.hide() }
/// ```
///
/// Of the cells of a kind, a row gets the one whose row just left the screen nearest to it;
/// otherwise the one that came into reserve last; otherwise a new one. So a list that is reloaded
/// gives each row its own cell again, and creates none as long as the kinds and their numbers are
/// the same.
///
/// Passes can't be nested, and cells can be dequeued only inside a pass: the pool is being changed
/// during the layout, and a ``Pass`` can't be kept.
public struct ReusePool<Identifier: Hashable, Index: Hashable, Cell> {
    private(set) var store: CellStore<Identifier, Index, Cell>

    /// An empty pool, whose limits apply to cells in reserve, at the end of each layout pass.
    ///
    /// The defaults are five cells of a kind, each for five seconds of scrolling at 60 frames a second.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of cells of each kind that has no limit of its own.
    ///   - capacities: The limits of single kinds; with 0, none of its cells is kept.
    ///   - age: The number of passes after which a cell is dropped; nil for no limit.
    ///
    /// Traps if a number is negative.
    public init(capacity: Int = 5, capacities: [Identifier: Int] = [:], age: Int? = 300) {
        precondition(
            capacity >= 0 && capacities.values.allSatisfy { $0 >= 0 },
            "a reserve holds no fewer than zero cells")
        precondition(age.map { $0 >= 0 } ?? true, "a cell waits no fewer than zero passes")
        store = CellStore(capacity: capacity, capacities: capacities, age: age)
    }

    /// The number of cells that were made so far, since there was none to reuse, and the number of
    /// times that a cell was dequeued again: a list that scrolls, or is reloaded, creates few.
    public var statistics: (created: Int, reused: Int) {
        (store.createdCount, store.dequeuedCount - store.createdCount)
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

    /// Checks that every cell is in exactly one state, and that all limits hold.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        store.checkInvariants()
    }
}

extension ReusePool {
    /// Lays out the rows that are to be on screen now; those between them have no pixels.
    ///
    /// O(rows + cells on screen) for all cells that are kept, and O(cells that left or are in
    /// reserve) for each cell that is dequeued.
    ///
    /// - Parameters:
    ///   - rows: The rows to be on screen after the pass; all others leave it.
    ///   - position: The number of the first of these rows, counted from the list's first row
    ///     through all sections; nil if rows are such numbers themselves. It determines which cells are
    ///     near.
    ///   - edit: Returns the new index of a row that was on screen; nil if it was deleted, or if
    ///     its cell is to be requested again. `{ _ in nil }` reloads all.
    ///   - prepare: Clears a cell just before it is dequeued again.
    ///   - cell: Returns a dequeued cell for a row without one.
    /// - Returns: The cells that left the screen and show no row now, and those that are no longer in
    ///   the pool; some may be in both.
    /// - Precondition: No row is given twice, no two rows become one, `position` isn't negative,
    ///   and each row shows a cell that was dequeued for it.
    ///
    /// Traps if a position is negative, or a row is laid out twice.
    @discardableResult
    public mutating func layout(
        _ rows: some Collection<Index>, at position: Int? = nil,
        following edit: (Index) -> Index? = { $0 },
        prepare: (inout Cell) -> Void,
        cell: (Index, inout Pass) -> DequeuedCell
    ) -> (hidden: [Cell], dropped: [Cell]) {
        let position = position ?? rows.first as? Int ?? 0
        precondition(position >= 0, "rows are counted from zero")
        return withoutActuallyEscaping(prepare) { prepare in
            var pass = Pass(store: CellStore(), prepare: prepare)
            // Swapped in and out, to avoid a copy.
            swap(&store, &pass.store)
            pass.store.begin(rows, following: edit)
            for (position, row) in zip(position..., rows) {
                if pass.store.keep(row, position: position) { continue }
                pass.position = position
                let shown = cell(row, &pass)
                pass.store.show(shown.cell, number: shown.number, row: row, position: position)
            }
            let removed = pass.store.end()
            swap(&store, &pass.store)
            return removed
        }
    }
}

extension ReusePool {
    /// A layout pass, at a row that needs a cell.
    ///
    /// ```swift
    /// pass.dequeue(.photo) { PhotoCell() }
    /// ```
    public struct Pass: ~Copyable {
        fileprivate var store: CellStore<Identifier, Index, Cell>
        fileprivate let prepare: (inout Cell) -> Void
        fileprivate var position = 0

        /// Dequeues a prepared cell of this kind for the row, or a new one.
        ///
        /// Two calls return two cells. The one that the row doesn't show returns to the pool.
        public mutating func dequeue(
            _ identifier: Identifier, make: () -> Cell
        ) -> DequeuedCell {
            let (cell, number) = store.dequeue(
                identifier, position: position, prepare: prepare, make: make)
            return DequeuedCell(cell: cell, number: number)
        }
    }

    /// A cell dequeued for one row, until this has been laid out.
    public struct DequeuedCell {
        /// The cell, which the row may change; the change is kept if the row shows the cell.
        public var cell: Cell

        /// The number that identifies this use of the cell.
        let number: Int
    }
}

extension ReusePool: Sendable where Identifier: Sendable, Index: Sendable, Cell: Sendable {}
extension ReusePool.DequeuedCell: Sendable where Cell: Sendable {}
