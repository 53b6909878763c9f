internal import ReplayText

/// The text of a drawing, to which shapes are added; coordinates are px with one decimal.
struct Canvas {
    private(set) var text = ""

    /// Adds SVG markup.
    mutating func add(_ markup: String) {
        text += markup
        text += "\n"
    }

    /// Adds a rectangle, with a tooltip if `title` isn't empty.
    mutating func rectangle(
        _ style: String, x: Double, y: Double, width: Double, height: Double, title: String = ""
    ) {
        let shape =
            "<rect class=\"\(style)\" x=\"\(short(x))\" y=\"\(short(y))\" "
            + "width=\"\(short(width))\" height=\"\(short(height))\""
        add(title.isEmpty ? shape + "/>" : shape + "><title>\(escaped(title))</title></rect>")
    }

    /// Adds a straight line.
    mutating func line(_ style: String, x1: Double, y1: Double, x2: Double, y2: Double) {
        add(
            "<line class=\"\(style)\" x1=\"\(short(x1))\" y1=\"\(short(y1))\" "
                + "x2=\"\(short(x2))\" y2=\"\(short(y2))\"/>")
    }

    /// Adds a path.
    mutating func path(_ style: String, _ steps: String) {
        if !steps.isEmpty { add("<path class=\"\(style)\" d=\"\(steps)\"/>") }
    }

    /// Adds a text.
    mutating func label(_ style: String, x: Double, y: Double, _ label: String) {
        add(
            "<text class=\"\(style)\" x=\"\(short(x))\" y=\"\(short(y))\">"
                + "\(escaped(label))</text>")
    }
}

/// Returns a length in px with one decimal, or none if it is whole.
func short(_ value: Double) -> String {
    let text = decimals(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
