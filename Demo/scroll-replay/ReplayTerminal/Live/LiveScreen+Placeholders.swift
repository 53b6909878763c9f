internal import TerminalPictures

// Rows' pictures in a terminal with kitty's graphics: placeholders in the text.
extension LiveScreen {
    /// Returns the terminal's number for a row's picture, and the cells in which it is shown.
    ///
    /// The picture has only lines that belong to the row at every scroll position, so that it is
    /// sent once. Nil if it is shown in another way, or can't be shown yet.
    func placed(
        _ row: LiveScene.Row, columns: Int, lines: Int
    ) -> (id: UInt32, cells: CellSize)? {
        guard pictures.method == .kitty, depth == .full, row.state != .failed,
            let picture = row.picture
        else { return nil }
        let height = Int((row.height * Double(2 * lines) / scene.viewportHeight).rounded())
        let cells = CellSize(
            columns: pictureWidth(height: height - 1, in: columns), lines: (height - 1) / 2)
        let places = 1...KittyPlaceholder.places
        guard places.contains(cells.lines), places.contains(cells.columns) else { return nil }
        return pictures.id(of: picture, in: cells).map { ($0, cells) }
    }

    /// Writes a picture's placeholders that are inside the pane.
    mutating func place(
        _ id: UInt32, _ cells: CellSize, from first: Int, _ columns: Range<Int>, _ lines: Range<Int>
    ) {
        let ink = KittyPlaceholder.color(of: id)
        for row in 0..<cells.lines where (0..<lines.count).contains(first + row) {
            for column in 0..<min(cells.columns, columns.count) {
                grid[columns.lowerBound + column, lines.lowerBound + first + row] = Grid.Cell(
                    character: KittyPlaceholder.character(row: row, column: column, of: id),
                    ink: ink, ground: .paper)
            }
        }
    }
}
