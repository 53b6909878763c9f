/// Gathers the rows of a section in lines, one after the other.
///
/// All numbers are integers in steps of 1/1024, so that whoever follows the same rules comes to the
/// same lines. Where a line ends depends on its own rows and on the first of the next line: after a
/// change, the lines are the same again from the first line that begins at the same row.
struct LineBreaker {
    /// A line, or several equal ones.
    struct Lines {
        /// The height of each, including the spacing after it.
        let height: Int64
        /// The number of rows in each.
        let rows: Int
        var count = 1
    }

    private let columns: Int?
    private let width: Int64
    private let spacing: Int64
    /// The height that justified lines should have.
    private let target: Int64
    /// The number of rows in the line that has begun.
    private(set) var rows = 0
    /// The height of its highest row, or the sum of the aspect ratios.
    private(set) var sum: Int64 = 0

    init(_ flow: LineFlow) {
        columns = flow.columns
        width = HeightSteps.nearest(flow.width)
        spacing = HeightSteps.nearest(flow.spacing)
        if case .justified(let height) = flow.rule {
            target = max(1, HeightSteps.nearest(height))
        } else {
            target = 0
        }
    }

    /// Adds rows of one measure; calls `body` with each line that is complete.
    ///
    /// O(1) for any number of rows with equal measures, besides O(rows in a line).
    mutating func add(_ value: Int64, count: Int, _ body: (Lines) -> Void) {
        if let columns {
            add(value, count: count, to: columns, body)
        } else {
            addJustified(Self.ratio(value), count: count, body)
        }
    }

    /// Completes the last line of a section.
    mutating func finish(_ body: (Lines) -> Void) {
        guard rows > 0 else { return }
        body(Lines(height: lastHeight + spacing, rows: rows))
        (rows, sum) = (0, 0)
    }

    /// Returns an aspect ratio within the limits of what can be shown.
    static func ratio(_ value: Int64) -> Int64 { min(max(value, 1024 / 16), 1024 * 16) }

    /// The height of the line that has begun, if it is the last.
    private var lastHeight: Int64 {
        columns == nil ? min(target, height(ofRows: rows, sum)) : sum
    }

    // MARK: - Columns

    private mutating func add(
        _ value: Int64, count: Int, to columns: Int, _ body: (Lines) -> Void
    ) {
        var rest = count
        if rows > 0 {
            let missing = min(rest, columns - rows)
            rows += missing
            rest -= missing
            sum = max(sum, value)
            if rows == columns { finish(body) }
        }
        guard rest > 0 else { return }
        if rest >= columns {
            body(Lines(height: value + spacing, rows: columns, count: rest / columns))
        }
        (rows, sum) = (rest % columns, value)
    }

    // MARK: - Justified lines

    private mutating func addJustified(_ ratio: Int64, count: Int, _ body: (Lines) -> Void) {
        var rest = count
        while rest > 0 {
            if rows == 0, rest > 2 {
                rest -= addEqual(ratio, count: rest, body)
                guard rest > 0 else { return }
            }
            add(ratio, body)
            rest -= 1
        }
    }

    private mutating func add(_ ratio: Int64, _ body: (Lines) -> Void) {
        let before = height(ofRows: rows, sum)
        let height = height(ofRows: rows + 1, sum + ratio)
        if height > target {
            rows += 1
            sum += ratio
        } else if rows > 0, before - target < target - height {
            body(Lines(height: before + spacing, rows: rows))
            (rows, sum) = (0, 0)
            add(ratio, body)
        } else {
            body(Lines(height: height + spacing, rows: rows + 1))
            (rows, sum) = (0, 0)
        }
    }

    /// Adds those lines of equal rows that are followed by another such row; returns the number of
    /// their rows.
    private mutating func addEqual(_ ratio: Int64, count: Int, _ body: (Lines) -> Void) -> Int {
        var (number, last, height) = (0, Int64.max, Int64.max)
        while height > target {
            guard number < count else { return 0 }
            number += 1
            last = height
            height = self.height(ofRows: number, Int64(number) * ratio)
        }
        if number > 1, last - target < target - height { (number, height) = (number - 1, last) }
        let lines = (count - 1) / number
        if lines > 0 { body(Lines(height: height + spacing, rows: number, count: lines)) }
        return lines * number
    }

    /// Returns the height at which rows with a sum of aspect ratios fill a line.
    private func height(ofRows rows: Int, _ sum: Int64) -> Int64 {
        guard rows > 0 else { return .max }
        let width = max(1024, width - spacing * Int64(rows - 1))
        return (2 * 1024 * width + sum) / (2 * sum)
    }
}
