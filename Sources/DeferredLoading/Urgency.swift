package import IdleLoop

/// The urgency of a row: what is on screen before what may come on screen.
public enum Urgency: Int8, CaseIterable, Sendable {
    /// A guess that may never pay.
    case speculative
    /// The first and the last page, wherever the list is.
    case pinned
    /// Close to the viewport.
    case near
    /// On the way to where the list will rest.
    case approach
    /// In view where a fling will rest.
    case landing
    /// On screen now.
    case visible

    /// The priority of its work in an idle queue.
    package var priority: Priority {
        switch self {
        case .speculative: .lowest
        case .pinned: .low
        case .near: .normal
        case .approach: .high
        case .landing: .higher
        case .visible: .highest
        }
    }
}

extension Urgency: Comparable {
    /// Whether one matters less than the other.
    public static func < (lhs: Urgency, rhs: Urgency) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}
