/// Something that happens to a list.
public enum ScrollEvent: Equatable, Sendable {
    /// A finger touches the list, `y` px below the window's top: it drags it, or catches a fling.
    case down(y: Double)
    /// The finger has moved.
    case moved(y: Double)
    /// The finger lets go; the target, in px, is where the scroller says that it will rest.
    case up(y: Double, target: Double? = nil)
    /// The touch is taken away; no fling comes of it.
    case cancelled
    /// A wheel has turned.
    case wheel
    /// A key has scrolled.
    case key
    /// The program scrolls to an offset; what it passes isn't worth loading.
    case jumpBegan(target: Double)
    /// The program has got there, or was stopped on the way.
    case jumpEnded
    /// Rows were added, removed or resized.
    case changed
    /// A frame is shown.
    case frame
}

/// The input of a rule: something that happened to a list, and how the list stood then.
public struct ScrollMoment: Sendable {
    /// The event; nil if none has happened since the last, and a rule is only asked.
    public var event: ScrollEvent?
    /// The time of the event; for a frame, that of its beginning.
    public var time: Instant
    /// The time at which the rule is asked, which may be later.
    public var now: Instant
    /// The list as it stood when the event happened.
    public var viewport: Viewport
    /// The list's motion.
    public var motion: ScrollMotion
    /// The forecast of the fling that moves the list; nil if none does, or nobody knows its end.
    public var forecast: FlingForecast?

    /// An event, and how the list stood then.
    package init(
        _ event: ScrollEvent?, at time: Instant, now: Instant? = nil, viewport: Viewport,
        motion: ScrollMotion = .init(), forecast: FlingForecast? = nil
    ) {
        self.event = event
        self.time = time
        self.now = now ?? time
        self.viewport = viewport
        self.motion = motion
        self.forecast = forecast
    }
}
