// Scrolling to a row.
extension Viewport {
    /// A position for a row in the viewport, between the insets.
    public enum RowPlace: Sendable, CaseIterable {
        /// The row's top edge is at the viewport's top edge.
        case top
        /// The row is centred in the viewport.
        case middle
        /// The row's bottom edge is at the viewport's bottom edge.
        case bottom
        /// The nearest position at which the row is fully in view; for a row that is higher than
        /// the viewport, the one at its nearer edge.
        case nearest
    }

    /// Returns the clamped offset, in px, at which a row has a position in the viewport; O(log n).
    ///
    /// - Precondition: the list has this row.
    public func offset(showing row: RowIndex, at place: RowPlace) -> Double {
        let extent = list.extent(of: .row(row))
        let top = extent.offset - insets.top
        let bottom = extent.end + insets.bottom - height
        let target =
            switch place {
            case .top: top
            case .middle: (top + bottom) / 2
            case .bottom: bottom
            case .nearest: min(max(offset, min(top, bottom)), max(top, bottom))
            }
        return clamped(target)
    }
}
