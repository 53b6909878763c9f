import ArgumentParser
import ScrollModel

/// A row, or a closed range of rows such as `800-820`.
struct RowSpan: ExpressibleByArgument {
    let rows: ClosedRange<Int>

    init?(argument: String) {
        let ends = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(ends.count), let first = Int(ends[0]),
            let last = Int(ends[ends.count - 1]), first >= 0, first <= last, last < 1 << 40,
            last - first < 100_000
        else { return nil }
        rows = first...last
    }
}

extension [RowSpan] {
    /// Returns the rows of all ranges, in the given order; throws if a row doesn't exist.
    func rows(in plan: Plan) throws -> [Int] {
        let count = plan.scenario.list.list.rowCount
        for span in self where span.rows.upperBound >= count {
            throw ValidationError(
                "there's no row \(span.rows.upperBound): they go from 0 to \(count - 1)")
        }
        return flatMap(\.rows)
    }
}
