/// How soon work matters: what is on screen before what may come on screen.
public enum Urgency: Int8, CaseIterable, Sendable {
    /// A guess that may never pay.
    case speculative
    /// The first and the last page, wherever the list is.
    case pinned
    /// Close to the viewport.
    case near
    /// On the way to where the list will rest.
    case approach
    /// Where a fling will rest.
    case landing
    /// On screen now.
    case visible
}

extension Urgency: Comparable {
    /// Whether one matters less than the other.
    public static func < (lhs: Urgency, rhs: Urgency) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

/// The place of a piece of work among others; the least comes first.
struct WorkOrder: Comparable, Sendable {
    /// The urgency in the upper 3 bits, most urgent first, and the rank in 61: a greater one counts
    /// as the greatest, and a lesser one as the least.
    private let level: UInt64
    /// Rises with each piece of work.
    let sequence: UInt64

    private static var most: Int { 1 << 60 - 1 }
    private static var bias: Int { 1 << 60 }

    init(urgency: Urgency, rank: Int, sequence: UInt64) {
        let place = UInt64(truncatingIfNeeded: 7 &- Int(urgency.rawValue))
        let rank = max(-Self.bias, min(rank, Self.most))
        level = place &<< 61 | UInt64(truncatingIfNeeded: rank &+ Self.bias)
        self.sequence = sequence
    }

    var urgency: Urgency {
        Urgency(rawValue: Int8(truncatingIfNeeded: 7 &- Int(level &>> 61))) ?? .speculative
    }

    var rank: Int { Int(truncatingIfNeeded: level & (1 &<< 61 &- 1)) &- Self.bias }

    static func < (lhs: WorkOrder, rhs: WorkOrder) -> Bool {
        (lhs.level, lhs.sequence) < (rhs.level, rhs.sequence)
    }

    /// Its place in a heap, the first to run first.
    var toRun: HeapOrder { HeapOrder(major: level, minor: sequence) }

    /// Its place in a heap, the first to be given up first: the least urgent, if that counts, and
    /// the oldest of those.
    func toDrop(byUrgency: Bool) -> HeapOrder {
        precondition(sequence >> 56 == 0, "a sequence number has 56 bits")
        let place = byUrgency ? UInt64(truncatingIfNeeded: Int(urgency.rawValue)) : 0
        return HeapOrder(major: place &<< 56 | sequence, minor: 0)
    }
}
