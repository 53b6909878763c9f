/// A writer of a line of half blocks, which writes a colour only where it changes.
struct BlockPen {
    private let style: BlockColors
    private var text = ""
    private var ink: TerminalColor?
    /// The current background colour; nil for the terminal's own, as at the start.
    private var ground: TerminalColor?

    init(_ style: BlockColors) { self.style = style }

    /// The line, ended by a reset if a colour is set.
    var line: String { ink == nil && ground == nil ? text : text + "\u{1B}[0m" }

    /// Writes a cell; without a lower half, the terminal's own background is there.
    mutating func add(_ upper: TerminalColor, _ lower: TerminalColor?) {
        switch style {
        case .full: addBlock(upper, lower)
        case .indexed: addBlock(Self.numbered(upper), lower.map { Self.numbered($0) })
        case .shades: text += Self.character(upper, lower, of: [" ", "░", "▒", "▓", "█"])
        case .ascii:
            text += Self.character(
                upper, lower, of: [" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"])
        }
    }

    private mutating func addBlock(_ upper: TerminalColor, _ lower: TerminalColor?) {
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
        style == .full
            ? "\(which);2;\(color.red);\(color.green);\(color.blue)"
            : "\(which);5;\(color.red)"
    }

    /// Returns a colour that has the palette index in place of its components, for comparison.
    private static func numbered(_ color: TerminalColor) -> TerminalColor {
        TerminalColor(color.indexed, 0, 0)
    }

    /// Returns the character with the brightness of the two halves together.
    private static func character(
        _ upper: TerminalColor, _ lower: TerminalColor?, of shades: [String]
    ) -> String {
        let light = upper.luminance + (lower?.luminance ?? 0)
        return shades[light * shades.count / 511]
    }
}
