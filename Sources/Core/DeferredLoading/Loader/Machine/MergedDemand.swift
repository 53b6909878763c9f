internal import IdleLoop

/// One list's demand for a key.
struct ListDemand: Equatable {
    /// The number of the list.
    let list: Int
    var urgency: Urgency
    /// The rank among the list's demands of that urgency, as the list gives it.
    var rank: Int
    /// The turn among all lists' demands of that urgency, and the length of the turn.
    var turn: Int
    var length = 0

    var level: DemandLevel { DemandLevel(urgency: urgency, turn: turn) }
    /// The level by the list's own order alone.
    var place: DemandLevel { DemandLevel(urgency: urgency, turn: rank) }
}

/// The level of a demand in the order of work; the least has its turn first.
struct DemandLevel: Comparable {
    var urgency: Urgency
    var turn: Int

    /// The level after all demands.
    static let last = DemandLevel(urgency: .speculative, turn: .max)

    static func < (lhs: DemandLevel, rhs: DemandLevel) -> Bool {
        lhs.urgency == rhs.urgency ? lhs.turn < rhs.turn : lhs.urgency > rhs.urgency
    }
}

/// The demands of several lists for one key: the most urgent counts, until the last is withdrawn.
///
/// Most keys are wanted by one list, and then it is a plain value.
struct MergedDemand {
    private var first: ListDemand?
    private var others: [ListDemand] = []

    var count: Int { first == nil ? 0 : others.count + 1 }
    var isEmpty: Bool { first == nil }

    /// The demand whose turn comes first.
    var foremost: ListDemand? {
        guard !others.isEmpty, let first else { return first }
        return others.reduce(first) { $1.level < $0.level ? $1 : $0 }
    }

    /// The most urgent level that a list gives the key.
    var place: DemandLevel? {
        guard !others.isEmpty, let first else { return first?.place }
        return others.reduce(first.place) { min($0, $1.place) }
    }

    /// Calls `body` with the demand of each list.
    func forEach(_ body: (ListDemand) -> Void) {
        if let first { body(first) }
        others.forEach(body)
    }

    /// The demand of a list.
    subscript(list: Int) -> ListDemand? {
        get { first?.list == list ? first : others.first { $0.list == list } }
        set {
            guard let newValue else { return remove(list) }
            if first == nil || first?.list == list {
                first = newValue
            } else if let place = others.firstIndex(where: { $0.list == list }) {
                others[place] = newValue
            } else {
                others.append(newValue)
            }
        }
    }

    private mutating func remove(_ list: Int) {
        if first?.list == list {
            first = others.popLast()
        } else {
            others.removeAll { $0.list == list }
        }
    }
}
