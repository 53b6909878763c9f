public import IdleLoop
public import ScrollModel

/// What a policy is told: something that happened to a list, and how the list stood then.
public struct ScrollMoment {
    /// What happened.
    public enum Event: Sendable {
        /// A finger touches the list: it drags it, or catches it in a fling.
        case down
        /// The finger has moved.
        case moved
        /// The finger lets go; with a prediction the list flings on.
        case up(FlingPrediction?)
        /// The touch is taken away; no fling comes of it.
        case cancelled
        /// A wheel has turned.
        case wheel
        /// A key has scrolled.
        case key
        /// The list animates to its top; what it passes isn't worth loading.
        case scrollToTopBegan
        /// The list has reached its top, or was stopped on the way.
        case scrollToTopEnded
        /// Rows were added, removed or resized.
        case changed
        /// A frame was shown.
        case frame
    }

    /// What happened.
    public var event: Event
    /// When.
    public var now: Instant
    /// For a frame, when it began; else the same as `now`.
    public var start: Instant
    /// The list as it stood when the event began.
    public var viewport: Viewport
    /// What is known of the rows' loads.
    public var loads: any LoadFacts

    /// An event, when it ended and began, and how the list stood when it began.
    public init(
        _ event: Event, now: Instant, start: Instant? = nil, viewport: Viewport,
        loads: any LoadFacts = NoLoadFacts()
    ) {
        self.event = event
        self.now = now
        self.start = start ?? now
        self.viewport = viewport
        self.loads = loads
    }
}
