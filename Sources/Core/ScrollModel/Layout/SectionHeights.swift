/// The heights of a section's header, rows and footer, in px.
///
/// A section without a header or footer has one of zero height.
public struct SectionHeights: Sendable {
    /// The height of the header above the rows.
    package var header: Double
    /// The rows.
    package var rows: RowHeights
    /// The height of the footer below the rows.
    package var footer: Double

    /// A section with these heights.
    public init(header: Double = 0, rows: RowHeights, footer: Double = 0) {
        self.header = header
        self.rows = rows
        self.footer = footer
    }
}
