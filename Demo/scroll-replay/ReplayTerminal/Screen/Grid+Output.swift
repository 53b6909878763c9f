internal import TerminalPictures

extension Grid {
    /// Returns the lines with their colours, each ended by a reset.
    package func lines(in depth: InkDepth) -> [String] {
        guard depth != .none else { return lines }
        return (0..<height).map { line in
            var pen = Pen(depth: depth)
            var end = width
            while end > 0, self[end - 1, line] == Cell() { end -= 1 }
            for column in 0..<end { pen.write(self[column, line]) }
            return pen.finished
        }
    }

    /// Returns the output that turns a terminal's display of `old` into this grid; all of it
    /// without `old`.
    package func changes(from old: Grid?, in depth: InkDepth) -> String {
        var pen = Pen(depth: depth)
        let isNew = old?.width != width || old?.height != height
        for line in 0..<height {
            var column = 0
            while column < width {
                guard isNew || old?[column, line] != self[column, line] else {
                    column += 1
                    continue
                }
                pen.move(to: column, line)
                while column < width, isNew || old?[column, line] != self[column, line] {
                    pen.write(self[column, line])
                    column += 1
                }
            }
        }
        return pen.finished
    }
}

/// A writer of cells that sets a colour only when it changes.
private struct Pen {
    let depth: InkDepth
    private var text = ""
    private var style: Style = Style()

    private struct Style: Equatable {
        var ink: Ink?
        var ground: Ink?
        var isBold = false
    }

    init(depth: InkDepth) {
        self.depth = depth
    }

    mutating func move(to column: Int, _ line: Int) {
        text += "\u{1B}[\(line + 1);\(column + 1)H"
    }

    mutating func write(_ cell: Grid.Cell) {
        var next = Style(ink: cell.ink, ground: cell.ground, isBold: cell.isBold)
        if depth == .none { next = Style(isBold: cell.isBold) }
        if next != style { change(to: next) }
        text.append(cell.character)
    }

    private mutating func change(to next: Style) {
        var codes = ["0"]
        if next.isBold { codes.append("1") }
        if let ink = next.ink { codes.append(code(of: ink, 38)) }
        if let ground = next.ground { codes.append(code(of: ground, 48)) }
        text += "\u{1B}[" + codes.joined(separator: ";") + "m"
        style = next
    }

    private func code(of ink: Ink, _ which: Int) -> String {
        depth == .full
            ? "\(which);2;\(ink.red);\(ink.green);\(ink.blue)" : "\(which);5;\(ink.paletteIndex)"
    }

    var finished: String { style == Style() ? text : text + "\u{1B}[0m" }
}
