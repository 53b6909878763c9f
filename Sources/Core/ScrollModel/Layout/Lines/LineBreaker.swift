/// Gathers the rows of a section in lines, one after the other.
///
/// All numbers are integers in steps of 1/1024, so that whoever follows the same rules comes to the
/// same lines. Where a line ends depends on its own rows and on the first of the next line: after a
/// change, the lines are the same again from the first line that begins at the same row.
struct LineBreaker {
    /// The heights of complete lines, including the spacing after each, and their numbers of rows.
    private(set) var heights = SumTreeBuilder()
    private(set) var counts = SumTreeBuilder()

    private let columns: Int?
    private let width: Int64
    private let spacing: Int64
    /// The height that justified lines should have, and that fixed ones have.
    private let target: Int64
    /// The number of rows in the line that has begun.
    private var rows = 0
    /// The height of its highest row, or the sum of the aspect ratios.
    private var sum: Int64 = 0

    init(_ flow: LineFlow) {
        columns = flow.columns
        width = HeightSteps.nearest(flow.width)
        spacing = HeightSteps.nearest(flow.spacing)
        switch flow.rule {
        case .justified(let height), .fixed(_, let height):
            target = max(1, HeightSteps.nearest(height))
        case .columns, .adaptive: target = 0
        }
    }

    /// Adds rows of one measure.
    ///
    /// O(1) for any number of rows with equal measures, besides O(rows in a line).
    mutating func add(_ value: Int64, count: Int) {
        if let columns {
            add(target > 0 ? target : value, count: count, to: columns)
        } else {
            addJustified(Self.ratio(value), count: count)
        }
    }

    /// Adds the line of a header or footer, which has no rows; rows before it must be finished.
    mutating func add(element height: Int64) {
        heights.append(height)
        counts.append(0)
    }

    /// Completes the last line of a section.
    mutating func finish() {
        if rows > 0 { complete(lastHeight, rows) }
    }

    /// Appends equal lines; the next one is empty.
    private mutating func complete(_ height: Int64, _ rows: Int, times: Int = 1) {
        heights.append(height + spacing, count: times)
        counts.append(Int64(rows), count: times)
        (self.rows, sum) = (0, 0)
    }

    /// Returns an aspect ratio within the limits of what can be shown.
    static func ratio(_ value: Int64) -> Int64 { min(max(value, 1024 / 16), 1024 * 16) }

    /// The height of the line that has begun, if it is the last.
    private var lastHeight: Int64 {
        columns == nil ? min(target, height(ofRows: rows, sum)) : sum
    }

    // MARK: - Columns

    private mutating func add(_ value: Int64, count: Int, to columns: Int) {
        var rest = count
        if rows > 0 {
            let missing = min(rest, columns - rows)
            rows += missing
            rest -= missing
            sum = max(sum, value)
            if rows == columns { complete(sum, rows) }
        }
        if rest >= columns { complete(value, columns, times: rest / columns) }
        if rest % columns > 0 { (rows, sum) = (rest % columns, value) }
    }

    // MARK: - Justified lines

    private mutating func addJustified(_ ratio: Int64, count: Int) {
        var rest = count
        while rest > 0 {
            if rows == 0, rest > 2 {
                rest -= addEqual(ratio, count: rest)
                guard rest > 0 else { return }
            }
            add(ratio)
            rest -= 1
        }
    }

    private mutating func add(_ ratio: Int64) {
        (rows, sum) = (rows &+ 1, sum &+ ratio)
        guard isFull(rows, sum) else { return }
        let height = height(ofRows: rows, sum)
        let before = self.height(ofRows: rows - 1, sum - ratio)
        if rows > 1, before - target < target - height {
            complete(before, rows - 1)
            add(ratio)
        } else {
            complete(height, rows)
        }
    }

    /// Adds those lines of equal rows that are followed by another such row; returns the number of
    /// their rows.
    private mutating func addEqual(_ ratio: Int64, count: Int) -> Int {
        var number = 1
        while !isFull(number, Int64(number) * ratio) {
            guard number < count else { return 0 }
            number += 1
        }
        var height = height(ofRows: number, Int64(number) * ratio)
        let before = self.height(ofRows: number - 1, Int64(number - 1) * ratio)
        if number > 1, before - target < target - height { (number, height) = (number - 1, before) }
        let lines = (count - 1) / number
        if lines > 0 { complete(height, number, times: lines) }
        return lines * number
    }

    /// Returns the height at which rows with a sum of aspect ratios fill a line.
    private func height(ofRows rows: Int, _ sum: Int64) -> Int64 {
        rows > 0 ? (doubleArea(ofRows: rows) + sum) / (2 * sum) : .max
    }

    /// Returns whether that height is at most the target, without a division.
    private func isFull(_ rows: Int, _ sum: Int64) -> Bool {
        doubleArea(ofRows: rows) < (2 * target + 1) &* sum
    }

    private func doubleArea(ofRows rows: Int) -> Int64 {
        2 * 1024 * max(1024, width - spacing * Int64(rows - 1))
    }
}
