/// Decodes a picture from the top, row by row.
protocol RowReader: ~Copyable {
    /// How many pixels of the stored picture one row stands for: what a row costs.
    var pixelsPerRow: Int { get }

    /// Decodes a little, and gives the resizer a row if that made one.
    mutating func readRow(into resizer: inout RowResizer) throws(PictureError.Reason) -> Bool
}
