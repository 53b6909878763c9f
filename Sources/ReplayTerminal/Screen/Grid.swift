/// A screen of characters, each with its colours: drawn as a value, then written as a difference.
///
/// What is drawn outside it is left out.
package struct Grid: Equatable, Sendable {
    /// A place on the screen.
    package struct Cell: Equatable, Sendable {
        package var character: Character = " "
        package var ink: Ink?
        package var ground: Ink?
        package var isBold = false
    }

    /// How many columns and lines there are.
    package let width: Int
    package let height: Int
    private(set) var cells: [Cell]

    /// An empty screen.
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

    /// Writes a text, cut off at `limit` columns; the ground stays what it is unless one is given.
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

    /// Gives a rectangle a ground, and takes away what stands there.
    package mutating func fill(_ columns: Range<Int>, _ lines: Range<Int>, ground: Ink?) {
        for line in lines {
            for column in columns {
                self[column, line] = Cell(character: " ", ink: nil, ground: ground)
            }
        }
    }

    /// The lines as plain text, without the spaces at their ends.
    package var lines: [String] {
        (0..<height).map { line in
            String((0..<width).map { self[$0, line].character }).trimmedEnd
        }
    }
}
