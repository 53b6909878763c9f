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
        let place = UInt64(truncatingIfNeeded: 7 &- urgency.level)
        level = place &<< 60 | UInt64(truncatingIfNeeded: turn &+ Self.bias)
    }

    /// The place after all that is wanted.
    static let last = LoadOrder(.speculative, turn: .max)

    /// All urgencies, kept: `allCases` is a new array each time.
    private static let urgencies = Urgency.allCases

    var urgency: Urgency { Self.urgencies[7 &- Int(level &>> 60)] }

    var turn: Int { Int(truncatingIfNeeded: level & (1 &<< 60 &- 1)) &- Self.bias }

    static func < (lhs: LoadOrder, rhs: LoadOrder) -> Bool { lhs.level < rhs.level }
}

/// The demands of several lists for one key: the most urgent counts, until the last is withdrawn.
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

    /// The demands, the earliest first; most keys are wanted by one list.
    private var parts: [Part] = []

    var isEmpty: Bool { parts.isEmpty }
    /// The numbers of the lists.
    var lists: [Int] { parts.map { $0.list } }

    /// The demand whose turn comes first.
    var foremost: Part? {
        parts.count < 2 ? parts.first : parts.min { $0.order < $1.order }
    }

    /// The most urgent place that a list gives the key in its own order.
    var own: LoadOrder? {
        parts.count < 2 ? parts.first?.own : parts.min { $0.own < $1.own }?.own
    }

    /// The demand of a list.
    subscript(list: Int) -> Part? {
        get { parts.first { $0.list == list } }
        set {
            guard let place = parts.firstIndex(where: { $0.list == list }) else {
                if let newValue { parts.append(newValue) }
                return
            }
            if let newValue { parts[place] = newValue } else { parts.remove(at: place) }
        }
    }
}
