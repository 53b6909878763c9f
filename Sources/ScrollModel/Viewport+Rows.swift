// Going to a row.
extension Viewport {
    /// Where a row is to be in the window, between the insets.
    public enum RowPlace: Sendable, CaseIterable {
        /// Its top edge at the window's.
        case top
        /// Its middle at the window's.
        case middle
        /// Its bottom edge at the window's.
        case bottom
        /// Where it is wholly in view by the shortest way; for one that is higher than the window,
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
