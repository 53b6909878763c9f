extension ReusePool {
    /// Lays out the rows that are now to be seen, which lie one behind the other.
    ///
    /// O(rows + cells on screen) for all that is kept, and O(log n) for each cell that is lent.
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
                    lease.cell, slot: lease.slot, number: lease.number, row: row,
                    position: position)
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

extension ReusePool.Departed: Sendable where Cell: Sendable {}
