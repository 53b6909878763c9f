/// The validated updates of sections in a batch.
struct SectionUpdates {
    /// The updates that delete, move or reload a section, by its old index.
    private var origins: [Int: ListUpdate] = [:]
    /// The updates that insert or move a section, by its new index.
    private var targets: [Int: ListUpdate] = [:]
    /// The moved sections: new indexes by old ones.
    private(set) var moves: [Int: Int] = [:]
    private(set) var reloads: [Int: ListUpdate] = [:]
    private(set) var deletions: [Int: ListUpdate] = [:]
    /// The old numbers that are removed or moved, and the new numbers that are inserted.
    private(set) var difference = IndexDifference()
    private(set) var newCount: Int

    init(_ updates: [ListUpdate], count: Int) throws(ListUpdateError) {
        newCount = count
        for update in updates {
            switch update {
            case .deleteSection(let old):
                try addOrigin(old, update, count)
                deletions[old] = update
                newCount -= 1
            case .reloadSection(let old, let rows):
                try addOrigin(old, update, count)
                guard rows >= 0 else { throw .tooFewRows(update, moved: 0) }
                reloads[old] = update
            case .moveSection(let old, let new):
                try addOrigin(old, update, count)
                try addTarget(new, update)
                moves[old] = new
            case .insertSection(let new, let rows):
                guard rows >= 0 else { throw .tooFewRows(update, moved: 0) }
                try addTarget(new, update)
                newCount += 1
            case .deleteRow, .insertRow, .moveRow, .reloadRow: break
            }
        }
        for (new, update) in targets.sorted(by: { $0.key < $1.key }) {
            guard new >= 0, new < newCount else {
                throw .noSuchSection(update, section: new, count: newCount)
            }
        }
        let removed = origins.keys.filter { reloads[$0] == nil }
        difference = IndexDifference(removed: removed, inserted: Array(targets.keys))
    }

    /// Returns the update that gives a section's number of rows; nil if it keeps its own.
    func declaration(of new: Int) -> ListUpdate? {
        if case .insertSection? = targets[new] { return targets[new] }
        return difference.oldIndex(of: new).flatMap { reloads[$0] }
    }

    private mutating func addOrigin(
        _ old: Int, _ update: ListUpdate, _ count: Int
    ) throws(ListUpdateError) {
        guard old >= 0, old < count else {
            throw .noSuchSection(update, section: old, count: count)
        }
        if let other = origins.updateValue(update, forKey: old) { throw .namedTwice(other, update) }
    }

    private mutating func addTarget(
        _ new: Int, _ update: ListUpdate
    ) throws(ListUpdateError) {
        if let other = targets.updateValue(update, forKey: new) { throw .namedTwice(other, update) }
    }
}
