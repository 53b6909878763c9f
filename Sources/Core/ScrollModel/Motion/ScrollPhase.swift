/// The cause of a list's motion.
public enum ScrollPhase: Sendable, Equatable {
    /// None: the list is at rest.
    case resting
    /// A finger that drags the list, and may stop or turn at any moment.
    case dragging
    /// The motion after the finger's release.
    case decelerating
    /// The program, which knows the target offset in px: the top, or a row.
    ///
    /// Rows that are only passed aren't looked at.
    case animating(target: Double)
    /// A finger on the scroll bar or an index: the list jumps.
    case scrubbing

    /// Whether the list moves to a determined end, even if that isn't known.
    package var isFlying: Bool {
        switch self {
        case .decelerating, .animating: true
        case .resting, .dragging, .scrubbing: false
        }
    }
}
