/// A size in a terminal's cells.
public struct CellSize: Hashable, Sendable {
    /// The cells in a line.
    public var columns: Int
    /// The lines.
    public var lines: Int

    /// A size of that many cells in a line and that many lines.
    public init(columns: Int, lines: Int) {
        self.columns = columns
        self.lines = lines
    }
}
