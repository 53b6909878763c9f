internal import ReplayText

/// A screen of characters with colours, drawn as a value and written as a difference.
///
/// Drawing outside it is ignored.
package struct Grid: Equatable, Sendable {
    /// A cell of the screen.
    package struct Cell: Equatable, Sendable {
        package var character: Character = " "
        package var ink: Ink?
        package var ground: Ink?
        package var isBold = false
    }

    /// The numbers of columns and lines.
    package let width: Int
    package let height: Int
    private(set) var cells: [Cell]

    /// Creates an empty screen.
    package init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: Cell(), count: self.width * self.height)
    }

    package subscript(column: Int, line: Int) -> Cell {
        get { contains(column, line) ? cells[line * width + column] : Cell() }
        set { if contains(column, line) { cells[line * width + column] = newValue } }
    }

    private func contains(_ column: Int, _ line: Int) -> Bool {
        (0..<width).contains(column) && (0..<height).contains(line)
    }

    /// Writes a text, cut off at `limit` columns; the background changes only if one is given.
    @discardableResult
    package mutating func put(
        _ text: String, at column: Int, _ line: Int, limit: Int = .max, ink: Ink? = nil,
        ground: Ink? = nil, bold: Bool = false
    ) -> Int {
        var place = column
        for character in text {
            guard place - column < limit else { break }
            var cell = self[place, line]
            cell.character = character
            cell.ink = ink
            if let ground { cell.ground = ground }
            cell.isBold = bold
            self[place, line] = cell
            place += 1
        }
        return place
    }

    /// Clears a rectangle and sets its background.
    package mutating func fill(_ columns: Range<Int>, _ lines: Range<Int>, ground: Ink?) {
        for line in lines {
            for column in columns {
                self[column, line] = Cell(character: " ", ink: nil, ground: ground)
            }
        }
    }

    /// The lines as plain text, without trailing spaces.
    package var lines: [String] {
        (0..<height).map { line in
            String((0..<width).map { self[$0, line].character }).trimmedEnd
        }
    }
}
