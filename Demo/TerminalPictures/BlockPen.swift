/// A writer of a line of half blocks, which writes a colour only where it changes.
struct BlockPen {
    private var text = ""
    private var ink: TerminalColor?
    /// The current background colour; nil for the terminal's own, as at the start.
    private var ground: TerminalColor?

    /// The line, ended by a reset if a colour is set.
    var line: String { ink == nil && ground == nil ? text : text + "\u{1B}[0m" }

    /// Writes a cell; without a lower half, the terminal's own background is there.
    mutating func add(_ upper: TerminalColor, _ lower: TerminalColor?) {
        // A cell of one colour is a space on that background, which leaves the foreground
        // unchanged.
        if upper == lower {
            change(ink: nil, ground: lower)
            text += " "
        } else {
            change(ink: upper, ground: lower)
            text += "\u{2580}"
        }
    }

    private mutating func change(ink next: TerminalColor?, ground nextGround: TerminalColor?) {
        var codes: [String] = []
        if let next, next != ink {
            codes.append(code(of: next, 38))
            ink = next
        }
        if nextGround != ground {
            codes.append(nextGround.map { code(of: $0, 48) } ?? "49")
            ground = nextGround
        }
        if !codes.isEmpty { text += "\u{1B}[" + codes.joined(separator: ";") + "m" }
    }

    private func code(of color: TerminalColor, _ which: Int) -> String {
        "\(which);2;\(color.red);\(color.green);\(color.blue)"
    }
}
