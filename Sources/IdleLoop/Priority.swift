/// How soon a job matters beside others of its queue.
///
/// What the levels stand for is the program's to say; DeferredLoading has names of a list's for them.
public enum Priority: Int8, CaseIterable, Sendable {
    /// After all else.
    case lowest
    /// Before the lowest only.
    case low
    /// That of a job of which nothing is said.
    case normal
    /// Before what is normal.
    case high
    /// Before what is high.
    case higher
    /// Before all else.
    case highest
}

extension Priority: Comparable {
    /// Whether one comes after the other.
    public static func < (lhs: Priority, rhs: Priority) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

/// The place of a piece of work among others; the least comes first.
struct WorkOrder: Comparable, Sendable {
    /// The priority in the upper 3 bits, most urgent first, and the rank in 61: a greater one counts
    /// as the greatest, and a lesser one as the least.
    private let level: UInt64
    /// Rises with each piece of work.
    let sequence: UInt64

    private static var most: Int { 1 << 60 - 1 }
    private static var bias: Int { 1 << 60 }

    init(priority: Priority, rank: Int, sequence: UInt64) {
        let place = UInt64(truncatingIfNeeded: 7 &- Int(priority.rawValue))
        let rank = max(-Self.bias, min(rank, Self.most))
        level = place &<< 61 | UInt64(truncatingIfNeeded: rank &+ Self.bias)
        self.sequence = sequence
    }

    var priority: Priority {
        Priority(rawValue: Int8(truncatingIfNeeded: 7 &- Int(level &>> 61))) ?? .lowest
    }

    var rank: Int { Int(truncatingIfNeeded: level & (1 &<< 61 &- 1)) &- Self.bias }

    static func < (lhs: WorkOrder, rhs: WorkOrder) -> Bool {
        (lhs.level, lhs.sequence) < (rhs.level, rhs.sequence)
    }

    /// Its place in a heap, the first to run first.
    var toRun: HeapOrder { HeapOrder(major: level, minor: sequence) }

    /// Its place in a heap, the first to be given up first: the least urgent, if that counts, and
    /// the oldest of those.
    func toDrop(byPriority: Bool) -> HeapOrder {
        precondition(sequence >> 56 == 0, "a sequence number has 56 bits")
        let place = byPriority ? UInt64(truncatingIfNeeded: Int(priority.rawValue)) : 0
        return HeapOrder(major: place &<< 56 | sequence, minor: 0)
    }
}
