/// A size in a terminal's cells.
public struct CellSize: Hashable, Sendable {
    /// The number of cells in a line.
    public var columns: Int
    /// The number of lines.
    public var lines: Int

    /// Creates a size with a number of cells in a line and a number of lines.
    public init(columns: Int, lines: Int) {
        self.columns = columns
        self.lines = lines
    }
}
