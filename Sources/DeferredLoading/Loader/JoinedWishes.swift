internal import IdleLoop

/// One list's wish for a key.
struct ListWish: Equatable {
    /// The number of the list.
    let list: Int
    var urgency: Urgency
    /// Its place among the list's wishes of that urgency, as the list says.
    var rank: Int
    /// Its place among all lists' wishes of that urgency, and how long its turn is.
    var turn: Int
    var length = 0

    var level: WishLevel { WishLevel(urgency: urgency, turn: turn) }
    /// As the list alone has it.
    var place: WishLevel { WishLevel(urgency: urgency, turn: rank) }
}

/// The order of wishes; the least has its turn first.
struct WishLevel: Comparable {
    var urgency: Urgency
    var turn: Int

    /// After all that anybody wants.
    static let last = WishLevel(urgency: .speculative, turn: .max)

    static func < (lhs: WishLevel, rhs: WishLevel) -> Bool {
        lhs.urgency == rhs.urgency ? lhs.turn < rhs.turn : lhs.urgency > rhs.urgency
    }
}

/// Lists' wishes for a key: the most urgent counts, and it is wanted until the last has let go.
///
/// Most keys are wanted by one list, and then it's a plain value.
struct JoinedWishes {
    private var first: ListWish?
    private var others: [ListWish] = []

    var count: Int { first == nil ? 0 : others.count + 1 }
    var isEmpty: Bool { first == nil }

    /// The wish whose turn comes first.
    var foremost: ListWish? {
        guard !others.isEmpty, let first else { return first }
        return others.reduce(first) { $1.level < $0.level ? $1 : $0 }
    }

    /// The most urgent place that a list gives it.
    var place: WishLevel? {
        guard !others.isEmpty, let first else { return first?.place }
        return others.reduce(first.place) { min($0, $1.place) }
    }

    /// The wish of a list.
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
