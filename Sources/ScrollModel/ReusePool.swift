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

    /// How many cells wait in reserve, and for how long.
    package var limits: ReuseLimits<Identifier> { store.limits }

    /// What was done so far.
    package var statistics: ReuseStatistics { store.statistics }

    /// How many cells are on screen.
    package var onScreen: Int { store.screen.count }

    /// How many cells are in reserve.
    package var inReserve: Int { store.reserve.count }

    /// How many cells of one kind are in reserve.
    package func inReserve(_ identifier: Identifier) -> Int {
        store.kinds[identifier]?.reserve.count ?? 0
    }

    /// The cell that a row shows; nil if the row isn't on screen.
    public subscript(row: Index) -> Cell? {
        store.screen[row].flatMap { store.entries[$0].cell }
    }

    /// Changes the cell that a row shows.
    ///
    /// - Returns: Whether the row is on screen.
    @discardableResult
    public mutating func update(_ row: Index, change: (inout Cell) -> Void) -> Bool {
        guard let slot = store.screen[row], var cell = store.entries[slot].cell.take() else {
            return false
        }
        change(&cell)
        store.entries[slot].cell = cell
        return true
    }

    /// Empties the reserve, as for a lack of memory; O(cells in reserve).
    ///
    /// - Returns: The cells, those that waited longest first.
    @discardableResult
    public mutating func drain() -> [Cell] { store.drain() }

    /// Checks that every cell is in exactly one place, and that all limits hold.
    ///
    /// O(n), for tests.
    func checkInvariants() { store.checkInvariants() }
}

extension ReusePool: Sendable where Identifier: Sendable, Index: Sendable, Cell: Sendable {}
