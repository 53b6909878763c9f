internal import LullTesting

extension Report {
    /// A drawing of each trace as SVG: all its runs below each other, on the same axes.
    public var drawings: [String] { traces.map { Drawing(trace: $0, facts: facts).text } }
}

/// A drawing of a trace as SVG, which needs no other file and follows the viewer's preference for
/// light or dark.
struct Drawing {
    let trace: TracePicture
    let facts: Report.Facts

    /// The SVG text.
    var text: String {
        let rows = trace.rows
        let view = PictureView(of: trace, rows: rows)
        let head = 50.0
        let height = head + Double(trace.runs.count) * DrawingScale.panelHeight + 34
        var canvas = Canvas()
        canvas.add(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 \(short(height))\" "
                + "width=\"1200\" height=\"\(short(height))\" role=\"img\" "
                + "aria-labelledby=\"name\">")
        canvas.add("<title id=\"name\">\(escaped("\(facts.title): \(trace.name)"))</title>")
        if !facts.command.isEmpty { canvas.add("<desc>\(escaped(facts.command))</desc>") }
        canvas.add("<style>\n\(WebFiles.drawingStyle)\n</style>")
        canvas.add(Self.patterns)
        canvas.label("title", x: 12, y: 24, trace.name)
        canvas.label("sum", x: 12, y: 42, facts.verdict)
        for (index, run) in trace.runs.enumerated() {
            let top = head + Double(index) * DrawingScale.panelHeight
            let scale = DrawingScale(view: view, top: top)
            DrawingPanel(run: run, rows: rows, scale: scale, index: index).draw(on: &canvas)
        }
        drawLegend(on: &canvas, y: height - 18)
        canvas.add("</svg>")
        return canvas.text
    }

    private static let patterns = """
        <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">\
        <path d="M-1 1l2-2M-1 7L7-1M5 7l2-2"/></pattern>
        <pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse">\
        <rect width="5" height="5"/><circle cx="2.5" cy="2.5" r="1.05"/></pattern></defs>
        """

    private func drawLegend(on canvas: inout Canvas, y: Double) {
        var x = DrawingScale.left
        let entries: [(styles: [String], text: String, width: Double)] = [
            (["band"], "on screen", 96), (["seen-wait", "seen"], "asked, work; then seen", 164),
            (["wasted-wait", "hatch", "wasted"], "never seen: wasted", 148),
            (["back-wait"], "taken back", 100), (["blank"], "on screen, not loaded", 156),
            (["late"], "late frame", 96),
        ]
        for entry in entries {
            for style in entry.styles {
                let isWork = style == "seen" || style == "wasted"
                canvas.rectangle(
                    style, x: isWork ? x + 14 : x, y: y - 9, width: isWork ? 8 : 22, height: 11)
            }
            canvas.label("", x: x + 28, y: y, entry.text)
            x += entry.width + 10
        }
        canvas.line("lift", x1: x + 4, y1: y - 10, x2: x + 4, y2: y + 3)
        canvas.label("", x: x + 12, y: y, "finger up")
        canvas.line("target", x1: x + 78, y1: y - 4, x2: x + 98, y2: y - 4)
        canvas.label("", x: x + 104, y: y, "predicted")
        canvas.line("complete", x1: x + 172, y1: y - 10, x2: x + 172, y2: y + 3)
        canvas.label("", x: x + 180, y: y, "landing complete")
    }
}
