internal import ReplayText

// The list as it is on screen while its rows are loaded: two pixels to a character.
extension LiveScreen {
    mutating func drawViewport(columns: Range<Int>, lines: Range<Int>) {
        let scale = Double(2 * lines.count) / scene.viewportHeight
        var canvas = Canvas(width: columns.count, height: 2 * lines.count)
        var bands: [(row: LiveScene.Row, top: Int, bottom: Int)] = []
        for row in scene.rows {
            let top = Int((row.top * scale).rounded())
            let bottom = Int(((row.top + row.height) * scale).rounded())
            guard bottom > top else { continue }
            bands.append((row, top, bottom))
            paint(row, top..<bottom, on: &canvas)
        }
        for line in 0..<lines.count {
            for column in 0..<columns.count {
                grid[columns.lowerBound + column, lines.lowerBound + line] = canvas.cell(
                    column, line, depth)
            }
        }
        for band in bands {
            if let (id, cells) = placed(band.row, columns: columns.count, lines: lines.count) {
                place(id, cells, from: (band.top + 1) >> 1, columns, lines)
            }
            label(band.row, band.top, band.bottom, columns, lines)
        }
    }

    /// Returns the width of a row's picture: two and a half times its height, at most half the
    /// pane.
    func pictureWidth(height: Int, in width: Int) -> Int {
        max(2, min(width / 2, height * 5 / 2))
    }

    private func paint(_ row: LiveScene.Row, _ band: Range<Int>, on canvas: inout Canvas) {
        // A dark line separates two rows if there is room.
        let inner = band.count > 3 ? band.lowerBound..<band.upperBound - 1 : band
        let width = pictureWidth(height: inner.count, in: canvas.width)
        canvas.fill(0..<canvas.width, inner, .paper)
        // Without colours, rows that aren't loaded are shown by dots.
        if depth == .none, row.state != .loaded { return }
        if placed(row, columns: canvas.width, lines: canvas.height / 2) != nil { return }
        if let picture = row.picture, row.state != .failed, pictures.method != .none {
            let inks = pictures.inks(of: picture, width: width, height: inner.count)
            for (place, ink) in inks.enumerated() {
                canvas[place % width, inner.lowerBound + place / width] = ink
            }
            return
        }
        switch row.state {
        case .loaded:
            for y in inner {
                let share = Double(y - inner.lowerBound) / Double(inner.count)
                canvas.fill(0..<width, y..<y + 1, Ink.ofRow(row.row).scaled(1.1 - 0.4 * share))
            }
        case .failed:
            canvas.fill(0..<width, inner, Ink.bad.scaled(0.5))
        case .loading, .refined:
            canvas.fill(0..<width, inner, Ink.good.scaled(0.5))
        case .fetching:
            canvas.fill(0..<width, inner, Ink.warm.scaled(0.5))
        case .waiting, .unwanted:
            canvas.fill(0..<width, inner, .ground)
        }
    }

    private mutating func label(
        _ row: LiveScene.Row, _ top: Int, _ bottom: Int, _ columns: Range<Int>, _ lines: Range<Int>
    ) {
        let height = bottom - top > 3 ? bottom - top - 1 : bottom - top
        let width = pictureWidth(height: height, in: columns.count)
        // The first line that belongs to this row alone, if there is one.
        let first = max(0, top)
        let seen = first..<max(first, min(2 * lines.count, bottom))
        guard seen.count >= 2 else { return }
        let whole = (seen.lowerBound + 1) / 2
        let line = 2 * whole + 1 < seen.upperBound ? whole : seen.lowerBound / 2
        if depth == .none, row.state != .loaded {
            for dotted in line..<max(line + 1, min(lines.count, bottom / 2)) {
                let dots = String(repeating: "·", count: width)
                grid.put(dots, at: columns.lowerBound, lines.lowerBound + dotted)
            }
        }
        let place = columns.lowerBound + width + 1
        let mark = row.state.mark
        let text = "\(row.row) \(mark) \(row.state.word)"
        grid.put(
            text, at: place, lines.lowerBound + line, limit: columns.upperBound - place,
            ink: row.state.ink)
    }
}

extension LiveScene.RowState {
    /// A character for the state, so that it isn't shown by colour alone.
    package var mark: String {
        switch self {
        case .loaded: "✓"
        case .failed: "✗"
        case .loading: "▸"
        case .refined: "◐"
        case .fetching: "↓"
        case .waiting: "…"
        case .unwanted: "·"
        }
    }

    var word: String {
        switch self {
        case .loaded: ""
        case .failed: "failed"
        case .loading(let spent): "loading \(milliseconds(spent)) ms"
        case .refined(let spent): "preview \(milliseconds(spent)) ms"
        case .fetching: "fetching"
        case .waiting: "waiting"
        case .unwanted: "not wanted"
        }
    }

    /// The time spent on a row that isn't loaded.
    var spent: Duration? {
        switch self {
        case .loading(let spent), .refined(let spent): spent
        case .loaded, .failed, .fetching, .waiting, .unwanted: nil
        }
    }

    var ink: Ink {
        switch self {
        case .loaded: .text
        case .failed: .bad
        case .loading, .refined: .good
        case .fetching: .warm
        case .waiting, .unwanted: .dim
        }
    }
}

/// The pixels of a pane, two to a character.
private struct Canvas {
    let width: Int
    let height: Int
    private var pixels: [Ink?]

    init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        pixels = Array(repeating: nil, count: self.width * self.height)
    }

    subscript(x: Int, y: Int) -> Ink? {
        get { pixels[y * width + x] }
        set {
            guard (0..<width).contains(x), (0..<height).contains(y) else { return }
            pixels[y * width + x] = newValue
        }
    }

    mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ ink: Ink) {
        for y in rows { for x in columns { self[x, y] = ink } }
    }

    /// Returns the character that shows two pixels; without colours, one of equal darkness.
    func cell(_ column: Int, _ line: Int, _ depth: InkDepth) -> Grid.Cell {
        let upper = self[column, 2 * line]
        let lower = self[column, 2 * line + 1]
        guard depth != .none else {
            let light = ((upper?.luminance ?? 0) + (lower?.luminance ?? 0)) / 2
            let shades: [Character] = [" ", "░", "▒", "▓", "█"]
            return .init(character: light < 0.14 ? " " : shades[min(4, Int(light * 4.99))])
        }
        if upper == lower { return .init(character: " ", ground: upper) }
        guard let upper else { return .init(character: "▄", ink: lower) }
        return .init(character: "▀", ink: upper, ground: lower)
    }
}
