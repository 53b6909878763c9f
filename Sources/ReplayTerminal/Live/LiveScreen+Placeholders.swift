internal import TerminalPictures

// Rows' pictures as a terminal with kitty's graphics shows them: placeholders in the text.
extension LiveScreen {
    /// What the terminal knows a row's picture by, and in how many cells it shows it.
    ///
    /// As many lines as are all the row's wherever it stands, so that the picture is sent once.
    /// Nil if it's not to be shown in that way, or not yet.
    func placed(
        _ row: LiveScene.Row, columns: Int, lines: Int
    ) -> (id: UInt32, cells: CellSize)? {
        guard pictures.way == .kitty, depth == .full, row.state != .failed,
            let picture = row.picture
        else { return nil }
        let height = Int((row.height * Double(2 * lines) / scene.viewportHeight).rounded())
        let cells = CellSize(
            columns: pictureWidth(height: height - 1, in: columns), lines: (height - 1) / 2)
        let places = 1...KittyPlaceholder.places
        guard places.contains(cells.lines), places.contains(cells.columns) else { return nil }
        return pictures.id(of: picture, in: cells).map { ($0, cells) }
    }

    /// Writes a picture's placeholders, those that are in the pane.
    mutating func place(
        _ id: UInt32, _ cells: CellSize, from first: Int, _ columns: Range<Int>, _ lines: Range<Int>
    ) {
        let color = KittyPlaceholder.color(of: id)
        let ink = Ink(color.red, color.green, color.blue)
        for row in 0..<cells.lines where (0..<lines.count).contains(first + row) {
            for column in 0..<min(cells.columns, columns.count) {
                grid[columns.lowerBound + column, lines.lowerBound + first + row] = Grid.Cell(
                    character: KittyPlaceholder.character(row: row, column: column, of: id),
                    ink: ink, ground: .paper)
            }
        }
    }
}
