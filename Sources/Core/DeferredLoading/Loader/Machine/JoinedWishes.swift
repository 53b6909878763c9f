internal import IdleLoop

/// One list's request for a key.
struct ListWish: Equatable {
    /// The number of the list.
    let list: Int
    var urgency: Urgency
    /// The rank among the list's requests of that urgency, as the list gives it.
    var rank: Int
    /// The turn among all lists' requests of that urgency, and the length of the turn.
    var turn: Int
    var length = 0

    var level: WishLevel { WishLevel(urgency: urgency, turn: turn) }
    /// The level by the list's own order alone.
    var place: WishLevel { WishLevel(urgency: urgency, turn: rank) }
}

/// The level of a request in the order of work; the least has its turn first.
struct WishLevel: Comparable {
    var urgency: Urgency
    var turn: Int

    /// The level after all requests.
    static let last = WishLevel(urgency: .speculative, turn: .max)

    static func < (lhs: WishLevel, rhs: WishLevel) -> Bool {
        lhs.urgency == rhs.urgency ? lhs.turn < rhs.turn : lhs.urgency > rhs.urgency
    }
}

/// The requests of several lists for one key: the most urgent counts, until the last is withdrawn.
///
/// Most keys are wanted by one list, and then it is a plain value.
struct JoinedWishes {
    private var first: ListWish?
    private var others: [ListWish] = []

    var count: Int { first == nil ? 0 : others.count + 1 }
    var isEmpty: Bool { first == nil }

    /// The request whose turn comes first.
    var foremost: ListWish? {
        guard !others.isEmpty, let first else { return first }
        return others.reduce(first) { $1.level < $0.level ? $1 : $0 }
    }

    /// The most urgent level that a list gives the key.
    var place: WishLevel? {
        guard !others.isEmpty, let first else { return first?.place }
        return others.reduce(first.place) { min($0, $1.place) }
    }

    /// The request of a list.
    subscript(list: Int) -> ListWish? {
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
