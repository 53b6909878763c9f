package import IdleLoop

/// The urgency of a row: rows on screen before rows that may come on screen.
public enum Urgency: CaseIterable, Comparable, Sendable {
    /// Rows that the next gesture may bring into view.
    case speculative
    /// Rows close to the viewport.
    case near
    /// Rows on the way to the landing position.
    case approach
    /// Rows in view at the landing position of a fling.
    case landing
    /// Rows on screen now.
    case visible

    /// The number of the urgency: 0 for the least, as in `allCases`.
    var level: Int {
        switch self {
        case .speculative: 0
        case .near: 1
        case .approach: 2
        case .landing: 3
        case .visible: 4
        }
    }

    /// The priority of its work in an idle queue; `low` is left to a program's own jobs.
    package var priority: Priority {
        switch self {
        case .speculative: .lowest
        case .near: .normal
        case .approach: .high
        case .landing: .higher
        case .visible: .highest
        }
    }
}
