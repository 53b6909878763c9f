// Batches.
extension ListLayout {
    /// Inserts, deletes and moves rows and sections, all at once or, if one call is wrong, not at all.
    ///
    /// `measure` gives the heights of what is new, by its index after the batch, or nil where the
    /// estimate is to stand for it, as it does for all without it. `counts` says how many rows each section should have then, if
    /// the caller knows; as UITableView does, the batch is refused when the calls don't come to
    /// that. O(k log n), for k calls, and O(rows) for the sections that move, and for those that come if
    /// they're measured.
    ///
    /// - Returns: where everything that was there is now.
    /// - Throws: ``ListUpdateError``, which says which call is wrong and what would be right.
    @discardableResult
    public mutating func perform(
        _ updates: [ListUpdate], expecting counts: [Int]? = nil,
        measure: ((ListElement) -> Double?)? = nil
    ) throws(ListUpdateError) -> IndexMapping {
        let plan = try UpdatePlan(updates, of: sums)
        if let counts { try plan.check(counts, before: sums) }
        // A copy shares what doesn't change; a height that can't be leaves the list as it was.
        var changed = sums
        let steps = try Steps(estimates)
        var problem: ListUpdateError?
        var total: Int64 = 0
        changed.apply(plan, alike: measure == nil) { element in
            guard problem == nil else { return (0, true) }
            do throws(ListUpdateError) {
                if let height = measure?(element) {
                    let value = try Self.steps(height, of: element)
                    total = try Self.sum(total, value, of: element)
                    return (value, false)
                }
                let value = steps.estimate(of: element)
                total = try Self.sum(total, value, of: element)
                return (value, true)
            } catch {
                problem = error
                return (0, true)
            }
        }
        if let problem { throw problem }
        if changed.values.total > HeightSteps.maximumTotal {
            let first = plan.rowsCome.first ?? RowIndex(section: 0, row: 0)
            let height = HeightSteps.pixels(total)
            throw .height(.row(first), .tooLarge(row: first.row, height: height))
        }
        sums = changed
        return plan.mapping
    }
}
