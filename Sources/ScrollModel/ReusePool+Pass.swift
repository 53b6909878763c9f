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

        /// Lends the row a cell of this kind, prepared, or a new one; O(log n).
        ///
        /// Asking twice lends two. All but the one that the row shows go back when it has one.
        public mutating func lend(_ identifier: Identifier, make: () -> Cell) -> Lease {
            let (cell, slot, number) = store.lend(
                identifier, position: position, prepare: prepare, make: make)
            return Lease(cell: cell, slot: slot, number: number)
        }
    }

    /// A cell lent to one row until it has been laid out.
    public struct Lease {
        /// The cell, for the row to fill; a changed value is kept if the row shows it.
        public var cell: Cell

        let slot: Int
        /// Tells the lease from all others of this slot.
        let number: Int
    }
}

extension ReusePool.Lease: Sendable where Cell: Sendable {}
