// Going to a row.
extension Viewport {
    /// A place for a row in the window, between the insets.
    public enum RowPlace: Sendable, CaseIterable {
        /// Its top edge at the window's.
        case top
        /// Its middle at the window's.
        case middle
        /// Its bottom edge at the window's.
        case bottom
        /// The nearest place at which it is wholly in view; for one that is higher than the window,
        /// at its nearer edge.
        case nearest
    }

    /// The offset, in px, at which a row has a place in the window, clamped; O(log n).
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
