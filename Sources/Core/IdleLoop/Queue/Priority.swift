internal import LullLibC

/// The urgency of a job in its queue.
///
/// The program defines the meaning of the levels; DeferredLoading has names for them that fit a
/// list.
public enum Priority: CaseIterable, Comparable, Sendable {
    /// The lowest priority.
    case lowest
    /// A priority above `lowest` only.
    case low
    /// The default priority.
    case normal
    /// A priority above `normal`.
    case high
    /// A priority above `high`.
    case higher
    /// The highest priority.
    case highest

    /// The number of the level: 0 for the lowest, as in `allCases`.
    @inlinable package var level: Int {
        switch self {
        case .lowest: 0
        case .low: 1
        case .normal: 2
        case .high: 3
        case .higher: 4
        case .highest: 5
        }
    }
}

/// The order of a piece of work among others; the least comes first.
struct WorkOrder: Comparable, Sendable {
    /// The priority in the upper 3 bits, most urgent first, and the rank in the lower 60.
    ///
    /// The rank is clamped to that range. The bit between them tells jobs that have begun from others.
    private let level: UInt64
    /// A number that rises with each piece of work.
    let sequence: UInt64

    private static var most: Int { 1 << 59 - 1 }
    private static var bias: Int { 1 << 59 }
    /// All priorities, kept: `allCases` is a new array each time.
    private static let priorities = Priority.allCases

    init(priority: Priority, rank: Int, sequence: UInt64) {
        let place = UInt64(truncatingIfNeeded: 7 &- priority.level)
        let rank = max(-Self.bias, min(rank, Self.most))
        level = place &<< 61 | UInt64(truncatingIfNeeded: rank &+ Self.bias)
        self.sequence = sequence
    }

    var priority: Priority { Self.priorities[7 &- Int(level &>> 61)] }

    var rank: Int { Int(truncatingIfNeeded: level & (1 &<< 60 &- 1)) &- Self.bias }

    static func < (lhs: WorkOrder, rhs: WorkOrder) -> Bool {
        (lhs.level, lhs.sequence) < (rhs.level, rhs.sequence)
    }

    /// Returns the position in a heap in which the first is the first to run: the most urgent, and of
    /// one priority those that have begun before others.
    ///
    /// Of those that have begun and have one rank, the last goes on, so that few are begun at once.
    @inline(__always)
    func toRun(hasBegun: Bool = false) -> HeapOrder {
        hasBegun
            ? HeapOrder(major: level, minor: ~sequence)
            : HeapOrder(major: level | 1 &<< 60, minor: sequence)
    }

    /// Returns the position in a heap in which the first is the first to be dropped: the least
    /// urgent, and the oldest of those.
    var toDrop: HeapOrder {
        precondition(sequence >> 56 == 0, "a sequence number has 56 bits")
        let place = UInt64(truncatingIfNeeded: priority.level)
        return HeapOrder(major: place &<< 56 | sequence, minor: 0)
    }
}
