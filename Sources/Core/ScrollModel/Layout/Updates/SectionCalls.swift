/// The validated updates of sections in a batch.
struct SectionCalls {
    /// The updates that delete, move or reload a section, by its old index.
    private var origins: [Int: ListUpdate] = [:]
    /// The updates that insert or move a section, by its new index.
    private var newOnes: [Int: ListUpdate] = [:]
    /// The moved sections: new indexes by old ones.
    private(set) var moves: [Int: Int] = [:]
    private(set) var reloads: [Int: ListUpdate] = [:]
    private(set) var deletions: [Int: ListUpdate] = [:]
    /// The old numbers that are removed or moved, and the new numbers that are given.
    private(set) var renumbering = Renumbering()
    private(set) var newCount: Int

    init(_ updates: [ListUpdate], count: Int) throws(ListUpdateError) {
        newCount = count
        for call in updates {
            switch call {
            case .deleteSection(let old):
                try addOrigin(old, call, count)
                deletions[old] = call
                newCount -= 1
            case .reloadSection(let old, let rows):
                try addOrigin(old, call, count)
                guard rows >= 0 else { throw .tooFewRows(call, moved: 0) }
                reloads[old] = call
            case .moveSection(let old, let new):
                try addOrigin(old, call, count)
                try addTarget(new, call)
                moves[old] = new
            case .insertSection(let new, let rows):
                guard rows >= 0 else { throw .tooFewRows(call, moved: 0) }
                try addTarget(new, call)
                newCount += 1
            case .deleteRow, .insertRow, .moveRow, .reloadRow: break
            }
        }
        for (new, call) in newOnes.sorted(by: { $0.key < $1.key }) {
            guard new >= 0, new < newCount else {
                throw .noSuchSection(call, section: new, count: newCount)
            }
        }
        let gone = origins.keys.filter { reloads[$0] == nil }
        renumbering = Renumbering(gone: gone, given: Array(newOnes.keys))
    }

    /// Returns the update that gives a section's number of rows; nil if it keeps its own.
    func declaration(of new: Int) -> ListUpdate? {
        if case .insertSection? = newOnes[new] { return newOnes[new] }
        return renumbering.old(new).flatMap { reloads[$0] }
    }

    private mutating func addOrigin(
        _ old: Int, _ call: ListUpdate, _ count: Int
    ) throws(ListUpdateError) {
        guard old >= 0, old < count else {
            throw .noSuchSection(call, section: old, count: count)
        }
        if let other = origins.updateValue(call, forKey: old) { throw .namedTwice(other, call) }
    }

    private mutating func addTarget(
        _ new: Int, _ call: ListUpdate
    ) throws(ListUpdateError) {
        if let other = newOnes.updateValue(call, forKey: new) { throw .namedTwice(other, call) }
    }
}
