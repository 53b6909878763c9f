/// The calls of a batch that are about sections, checked.
struct SectionCalls {
    /// By the old index of what goes or changes.
    private var origins: [Int: ListUpdate] = [:]
    /// By the new index of what comes.
    private var newOnes: [Int: ListUpdate] = [:]
    /// Old to new.
    private(set) var moves: [Int: Int] = [:]
    private(set) var reloads: [Int: ListUpdate] = [:]
    private(set) var deletions: [Int: ListUpdate] = [:]
    /// The sections that leave their place, and the places that are given away.
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

    /// Returns the call that says how many rows a section will have; nil if it keeps its own.
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
