/// A section of a list: the heights of its header, its rows and its footer, in px.
///
/// A section without header or footer has one of no height.
public struct SectionHeights: Sendable, Equatable {
    /// The height of the header above the rows.
    package var header: Double
    /// The rows.
    package var rows: RowHeights
    /// The height of the footer below the rows.
    package var footer: Double

    /// A section of these heights.
    public init(header: Double = 0, rows: RowHeights, footer: Double = 0) {
        self.header = header
        self.rows = rows
        self.footer = footer
    }
}
