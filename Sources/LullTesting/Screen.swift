/// The cells of a list, each used again for another row when its own has left.
struct Screen {
    private var cells: [Int: Int] = [:]
    private var free: [Int] = []
    private var contents: [Int: Int] = [:]

    func cell(of row: Int) -> Int? { cells[row] }

    mutating func take(_ row: Int) -> Int {
        let cell = free.popLast() ?? cells.count
        cells[row] = cell
        return cell
    }

    /// Frees the cells of all rows but these, and returns them in their rows' order.
    mutating func release(but rows: Range<Int>) -> [Int] {
        let released = cells.filter { !rows.contains($0.key) }.sorted { $0.key < $1.key }
        for (row, cell) in released {
            cells[row] = nil
            free.append(cell)
            contents[cell] = nil
        }
        return released.map(\.value)
    }

    /// Shows a row's picture; a cell only ever shows the row that it stands for.
    mutating func show(_ row: Int, in cell: Int) {
        precondition(cells[row] == cell, "a cell never shows another row's picture")
        contents[cell] = row
    }
}
