/// The cells of a list, each used again for another row when its own has left.
struct Screen {
    private var cells: [Int: Int] = [:]
    private var free: [Int] = []
    private var contents: [Int: Int] = [:]

    /// The rows that have a cell, in order.
    var rows: [Int] { cells.keys.sorted() }

    func cell(of row: Int) -> Int? { cells[row] }

    mutating func take(_ row: Int) -> Int {
        let cell = free.popLast() ?? cells.count
        cells[row] = cell
        return cell
    }

    mutating func release(_ row: Int) -> Int {
        guard let cell = cells.removeValue(forKey: row) else { preconditionFailure("no such cell") }
        free.append(cell)
        contents[cell] = nil
        return cell
    }

    /// Shows a row's picture; a cell only ever shows the row that it stands for.
    mutating func show(_ row: Int, in cell: Int) {
        precondition(cells[row] == cell, "a cell never shows another row's picture")
        contents[cell] = row
    }
}
