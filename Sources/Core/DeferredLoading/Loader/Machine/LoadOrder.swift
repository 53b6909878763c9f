internal import IdleLoop
internal import LullLibC

/// The place of a load in the order of work, the least first: its urgency, its turn among loads of
/// that urgency, and a number that decides between equals.
///
/// It is made of a rule's answer, whose rank is the turn. Where several lists want something, their
/// turns are points of a common clock instead; see ``FairShare``. The same value orders the loads that
/// wait, the jobs in the queue, and what is evicted. It is compared as integers.
struct LoadOrder: Comparable {
    /// The urgency in the upper 3 bits, most urgent first, and the turn, which is clamped to the
    /// lower 61.
    private let level: UInt64
    /// The number that decides between equals.
    private let sequence: UInt64

    private static var bias: Int { 1 << 60 }

    init(_ urgency: Urgency, turn: Int, sequence: UInt64 = 0) {
        let turn = max(-Self.bias, min(turn, Self.bias - 1))
        let place = UInt64(truncatingIfNeeded: 7 &- Int(urgency.rawValue))
        level = place &<< 61 | UInt64(truncatingIfNeeded: turn &+ Self.bias)
        self.sequence = sequence
    }

    private init(level: UInt64, sequence: UInt64) {
        self.level = level
        self.sequence = sequence
    }

    /// The place after all that is wanted.
    static let last = LoadOrder(.speculative, turn: .max)

    var urgency: Urgency {
        Urgency(rawValue: Int8(truncatingIfNeeded: 7 &- Int(level &>> 61))) ?? .speculative
    }

    var turn: Int { Int(truncatingIfNeeded: level & (1 &<< 61 &- 1)) &- Self.bias }

    /// Returns the same place, with a number that decides between equals.
    func numbered(_ sequence: UInt64) -> LoadOrder {
        LoadOrder(level: level, sequence: sequence)
    }

    static func < (lhs: LoadOrder, rhs: LoadOrder) -> Bool {
        (lhs.level, lhs.sequence) < (rhs.level, rhs.sequence)
    }
}

/// One list's demand for a key.
struct ListDemand: Equatable {
    /// The number of the list.
    let list: Int
    /// The place in the list's own order.
    let own: LoadOrder
    /// The place among the demands of all lists, and the length of the turn there.
    var order: LoadOrder
    var length = 0
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
        return others.reduce(first) { $1.order < $0.order ? $1 : $0 }
    }

    /// The most urgent place that a list gives the key in its own order.
    var own: LoadOrder? {
        guard !others.isEmpty, let first else { return first?.own }
        return others.reduce(first.own) { min($0, $1.own) }
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
