internal import IdleLoop
internal import LullLibC

/// The place of a load in the order of work, the least first: its urgency, and its turn among loads
/// of that urgency.
///
/// It is made of a rule's answer, whose rank is the turn. Where several lists want something, their
/// turns are points of a common clock instead; see ``DemandTable``. The same value orders the loads
/// that wait, the jobs in the queue, and what is evicted. It is compared as an integer.
struct LoadOrder: Comparable {
    /// The urgency in 3 bits, most urgent first, and the turn, which is clamped to the 60 below.
    let level: UInt64

    private static var bias: Int { 1 << 59 }

    init(_ urgency: Urgency, turn: Int) {
        let turn = max(-Self.bias, min(turn, Self.bias - 1))
        let place = UInt64(truncatingIfNeeded: 7 &- Int(urgency.rawValue))
        level = place &<< 60 | UInt64(truncatingIfNeeded: turn &+ Self.bias)
    }

    /// The place after all that is wanted.
    static let last = LoadOrder(.speculative, turn: .max)

    var urgency: Urgency {
        Urgency(rawValue: Int8(truncatingIfNeeded: 7 &- Int(level &>> 60))) ?? .speculative
    }

    var turn: Int { Int(truncatingIfNeeded: level & (1 &<< 60 &- 1)) &- Self.bias }

    static func < (lhs: LoadOrder, rhs: LoadOrder) -> Bool { lhs.level < rhs.level }
}

/// The demands of several lists for one key: the most urgent counts, until the last is withdrawn.
///
/// Most keys are wanted by one list, and then it is a plain value.
struct MergedDemand {
    /// One list's demand for a key.
    struct Part {
        /// The number of the list.
        let list: Int
        /// The place in the list's own order.
        let own: LoadOrder
        /// The place among the demands of all lists.
        var order: LoadOrder
    }

    private var first: Part?
    private var others: [Part] = []

    var count: Int { first == nil ? 0 : others.count + 1 }
    var isEmpty: Bool { first == nil }

    /// The demand whose turn comes first.
    var foremost: Part? {
        guard !others.isEmpty, let first else { return first }
        return others.reduce(first) { $1.order < $0.order ? $1 : $0 }
    }

    /// The most urgent place that a list gives the key in its own order.
    var own: LoadOrder? {
        guard !others.isEmpty, let first else { return first?.own }
        return others.reduce(first.own) { min($0, $1.own) }
    }

    /// The numbers of the lists.
    var lists: [Int] { first.map { [$0.list] + others.map(\.list) } ?? [] }

    /// The demand of a list.
    subscript(list: Int) -> Part? {
        get { first?.list == list ? first : others.first { $0.list == list } }
        set {
            if first == nil || first?.list == list {
                first = newValue ?? others.popLast()
            } else {
                others.removeAll { $0.list == list }
                if let newValue { others.append(newValue) }
            }
        }
    }
}
