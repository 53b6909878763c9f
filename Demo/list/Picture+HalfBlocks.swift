import ImageLoading

extension Picture {
    /// The picture as lines of terminal text: two pixels in each character, an upper half block in
    /// two colours, over black.
    ///
    /// It works in every terminal with true colour, in multiplexers and over networks. Below an odd
    /// number of rows is the terminal's own background.
    var halfBlocks: [String] {
        // Colours are multiplied by their alpha, so that this is what they are over black.
        func color(_ row: Int, _ column: Int) -> String {
            let start = 4 * (row * size.width + column)
            return pixels[start..<start + 3].map { "\($0)" }.joined(separator: ";")
        }
        return stride(from: 0, to: size.height, by: 2).map { row in
            let cells = (0..<size.width).map { column in
                let ground = row + 1 < size.height ? "48;2;" + color(row + 1, column) : "49"
                return "\u{1B}[38;2;\(color(row, column));\(ground)m\u{2580}"
            }
            return cells.joined() + "\u{1B}[0m"
        }
    }
}
