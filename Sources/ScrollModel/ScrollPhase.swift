/// The cause of a list's motion.
public enum ScrollPhase: Sendable, Equatable {
    /// Nothing: it is where it will stay.
    case resting
    /// A finger, which may stop or turn at any moment.
    case dragging
    /// Nothing but what the finger gave it.
    case decelerating
    /// The program, which knows where it will come to rest, in px: to the top, or to a row.
    ///
    /// What it passes isn't looked at.
    case animating(target: Double)
    /// A finger on the scroll bar or an index: it jumps.
    case scrubbing

    /// Whether the list is in a flight whose end is decided, though not always known.
    package var isFlying: Bool {
        switch self {
        case .decelerating, .animating: true
        case .resting, .dragging, .scrubbing: false
        }
    }
}
