/// The placement of a picture in a terminal with kitty's graphics protocol.
public enum KittyPlacement: Hashable, Sendable {
    /// The picture is stored and not yet shown.
    case hidden
    /// At the cursor, scaled to a number of cells; the cursor isn't moved.
    ///
    /// The picture scrolls with the text, but text that is written there doesn't remove it.
    case atCursor(CellSize)
    /// In the cells where its placeholders are written.
    ///
    /// Placeholders are text: the picture scrolls, is overwritten and is kept by multiplexers like
    /// text. The cells are the size of the whole picture, which keeps its aspect ratio.
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
    /// Traps unless placeholders can represent all cells.
    func check() {
        let places = 1...KittyPlaceholder.places
        precondition(
            places.contains(columns) && places.contains(lines),
            "a picture is shown in 1 to 297 cells a side")
    }
}
