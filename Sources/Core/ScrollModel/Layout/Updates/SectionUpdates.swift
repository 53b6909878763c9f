/// The validated updates of sections in a batch.
struct SectionUpdates {
    /// The updates that delete a section, by its old index.
    private(set) var deletions: [Int: ListUpdate] = [:]
    /// The updates that insert a section, by its new index.
    private(set) var insertions: [Int: ListUpdate] = [:]
    /// The number of sections after the batch.
    let newCount: Int

    init(_ updates: [ListUpdate], count: Int) throws(ListUpdateError) {
        for update in updates {
            switch update {
            case .deleteSection(let old):
                guard old >= 0, old < count else {
                    throw .noSuchSection(update, section: old, count: count)
                }
                if let other = deletions.updateValue(update, forKey: old) {
                    throw .namedTwice(other, update)
                }
            case .insertSection(let new, let rows):
                guard rows >= 0 else { throw .tooFewRows(update, moved: 0) }
                if let other = insertions.updateValue(update, forKey: new) {
                    throw .namedTwice(other, update)
                }
            case .deleteRow, .insertRow, .moveRow, .reloadRow: break
            }
        }
        newCount = count - deletions.count + insertions.count
        for (new, update) in insertions.sorted(by: { $0.key < $1.key }) {
            guard new >= 0, new < newCount else {
                throw .noSuchSection(update, section: new, count: newCount)
            }
        }
    }

    /// The old indexes that are deleted, and the new ones that are inserted.
    var difference: IndexDifference {
        IndexDifference(removed: Array(deletions.keys), inserted: Array(insertions.keys))
    }
}
