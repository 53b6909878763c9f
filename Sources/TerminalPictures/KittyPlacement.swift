/// How a terminal with kitty's graphics shows a picture.
public enum KittyPlacement: Hashable, Sendable {
    /// Not yet.
    case hidden
    /// At the cursor, scaled to so many cells; the cursor stays. It moves with the text, but text
    /// that is written there doesn't take it away.
    case atCursor(CellSize)
    /// Wherever its placeholders are written: they are text, so that it scrolls, is overwritten
    /// and is kept by multiplexers as text is. So many cells are all of it; its shape is kept.
    case placeholders(CellSize)

    var keys: String {
        switch self {
        case .hidden: return ""
        case .atCursor(let cells):
            cells.check()
            return ",C=1,c=\(cells.columns),r=\(cells.lines)"
        case .placeholders(let cells):
            cells.check()
            return ",U=1,c=\(cells.columns),r=\(cells.lines)"
        }
    }
}

extension CellSize {
    /// Whether placeholders can say all of its places.
    func check() {
        let places = 1...KittyPlaceholder.places
        precondition(
            places.contains(columns) && places.contains(lines),
            "a picture is shown in 1 to 297 cells a side")
    }
}
