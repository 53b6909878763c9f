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
    var urgency: Urgency
    var rank: Int
    var sequence: UInt64

    static func < (lhs: WorkOrder, rhs: WorkOrder) -> Bool {
        if lhs.urgency != rhs.urgency { return lhs.urgency > rhs.urgency }
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
        return lhs.sequence < rhs.sequence
    }
}

/// The order in which work is given up when there is no room: least urgent, oldest first.
struct SacrificeOrder: Comparable, Sendable {
    var urgency: Urgency
    var sequence: UInt64

    static func < (lhs: SacrificeOrder, rhs: SacrificeOrder) -> Bool {
        lhs.urgency == rhs.urgency ? lhs.sequence < rhs.sequence : lhs.urgency < rhs.urgency
    }
}
