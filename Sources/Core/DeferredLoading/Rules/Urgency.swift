package import IdleLoop

/// The urgency of a row: rows on screen before rows that may come on screen.
public enum Urgency: CaseIterable, Comparable, Sendable {
    /// Rows that the next gesture may bring into view.
    case speculative
    /// The first and the last page, wherever the list is.
    case pinned
    /// Rows close to the viewport.
    case near
    /// Rows on the way to the landing position.
    case approach
    /// Rows in view at the landing position of a fling.
    case landing
    /// Rows on screen now.
    case visible

    /// The priority of its work in an idle queue, of the same level.
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
