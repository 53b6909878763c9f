// Batch updates.
extension ListLayout {
    /// Inserts, deletes, moves and reloads rows and sections in one batch; if one update is
    /// invalid, nothing changes.
    ///
    /// `measure` returns the heights of new elements, by their indexes after the batch, or nil to
    /// use the estimate; without `measure`, all new elements have estimates. `counts` has the
    /// expected number of rows of each section after the batch, if the caller knows; as in
    /// UITableView, the batch is rejected if the updates don't add up to that. O(k log n), for k
    /// updates, and O(rows) for sections that move, and for inserted sections if they are measured.
    ///
    /// - Returns: the new indexes of rows and sections.
    /// - Throws: ``ListUpdateError``, which says which update is invalid and what would be valid.
    @discardableResult
    public mutating func perform(
        _ updates: [ListUpdate], expecting counts: [Int]? = nil,
        measure: ((ListElement) -> Double?)? = nil
    ) throws(ListUpdateError) -> IndexMapping {
        let plan = try UpdatePlan(updates, of: sums)
        if let counts { try plan.check(counts, before: sums) }
        // The copy shares what doesn't change; an invalid height leaves the list unchanged.
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
