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
///
/// Urgency, rank and sequence are one number of 128 bits, so that comparing takes no branch.
struct WorkOrder: Comparable, Sendable {
    /// The urgency in 8 bits, most urgent first, and the upper 56 bits of the rank.
    private var high: UInt64
    /// The lower 8 bits of the rank, and the sequence in 56 bits.
    private var low: UInt64

    init(urgency: Urgency, rank: Int, sequence: UInt64) {
        precondition(sequence >> 56 == 0, "a sequence number has 56 bits")
        let rank = UInt64(bitPattern: Int64(rank)) ^ 1 &<< 63
        high = UInt64(truncatingIfNeeded: 0x7F &- Int(urgency.rawValue)) &<< 56 | rank &>> 8
        low = rank &<< 56 | sequence
    }

    var urgency: Urgency {
        Urgency(rawValue: Int8(truncatingIfNeeded: 0x7F &- Int(high &>> 56))) ?? .speculative
    }

    var rank: Int {
        Int(truncatingIfNeeded: (high &<< 8 | low &>> 56) ^ 1 &<< 63)
    }

    var sequence: UInt64 { low & (1 &<< 56 &- 1) }

    @inline(__always)
    private var packed: UInt128 { UInt128(high) &<< 64 | UInt128(low) }

    @inline(__always)
    static func < (lhs: WorkOrder, rhs: WorkOrder) -> Bool { lhs.packed < rhs.packed }
}

/// The order in which work is given up when there is no room: least urgent, oldest first.
///
/// Both are one number of 64 bits.
struct SacrificeOrder: Comparable, Sendable {
    private var packed: UInt64

    init(urgency: Urgency, sequence: UInt64) {
        precondition(sequence >> 56 == 0, "a sequence number has 56 bits")
        packed = UInt64(truncatingIfNeeded: Int(urgency.rawValue)) &<< 56 | sequence
    }

    init(_ order: WorkOrder) {
        self.init(urgency: order.urgency, sequence: order.sequence)
    }

    var urgency: Urgency {
        Urgency(rawValue: Int8(truncatingIfNeeded: packed &>> 56)) ?? .visible
    }

    var sequence: UInt64 { packed & (1 &<< 56 &- 1) }

    @inline(__always)
    static func < (lhs: SacrificeOrder, rhs: SacrificeOrder) -> Bool { lhs.packed < rhs.packed }
}
