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
    /// Where the finger is that touches or moves; nil if nobody knows.
    public var finger: FingerPlace?

    /// An event, when it ended and began, and how the list stood when it began.
    public init(
        _ event: Event, now: Instant, start: Instant? = nil, viewport: Viewport,
        loads: any LoadFacts = NoLoadFacts(), finger: FingerPlace? = nil
    ) {
        self.event = event
        self.now = now
        self.start = start ?? now
        self.viewport = viewport
        self.loads = loads
        self.finger = finger
    }
}

/// Where a finger was on the window, and when.
public struct FingerPlace: Equatable, Sendable {
    /// How far down, in px.
    public var y: Double
    /// When it was there, which is before anybody heard of it.
    public var time: Instant

    /// A place at a time.
    public init(y: Double, time: Instant) {
        self.y = y
        self.time = time
    }
}
