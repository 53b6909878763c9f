/// A drawing made of Braille dots, two wide and four high to a character.
package struct Dots: Sendable {
    /// The width and height in characters.
    package let columns: Int
    package let lines: Int
    private var masks: [UInt8]

    /// Creates an empty drawing.
    package init(columns: Int, lines: Int) {
        self.columns = max(0, columns)
        self.lines = max(0, lines)
        masks = Array(repeating: 0, count: self.columns * self.lines)
    }

    /// Draws a dot, counted from the upper left; a dot outside is ignored.
    package mutating func set(_ x: Int, _ y: Int) {
        guard x >= 0, y >= 0, x < 2 * columns, y < 4 * lines else { return }
        let bit: UInt8 =
            switch (x % 2, y % 4) {
            case (0, 3): 0x40
            case (1, 3): 0x80
            case (let side, let row): 1 << UInt8(row + 3 * side)
            }
        masks[y / 4 * columns + x / 2] |= bit
    }

    /// Draws a line through a column of dots, from one height to another.
    package mutating func connect(_ x: Int, from: Int, to: Int) {
        for y in min(from, to)...max(from, to) { set(x, y) }
    }

    /// Returns the character at a place; nil if nothing is drawn there.
    package func character(_ column: Int, _ line: Int) -> Character? {
        let mask = masks[line * columns + column]
        guard mask != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(mask)) else { return nil }
        return Character(scalar)
    }
}
