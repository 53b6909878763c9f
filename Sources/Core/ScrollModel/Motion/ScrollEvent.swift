/// An event of a list.
public enum ScrollEvent: Equatable, Sendable {
    /// A finger touches the list, `y` px below the top of the viewport, to drag it or to catch a
    /// fling.
    case down(y: Double)
    /// The finger has moved.
    case moved(y: Double)
    /// The finger lifts; the target, in px, is the landing position that the scroller reports.
    case up(y: Double, target: Double? = nil)
    /// The touch is cancelled; no fling follows.
    case cancelled
    /// A wheel was turned.
    case wheel
    /// A key has scrolled the list.
    case key
    /// The program begins to scroll to an offset; rows that are only passed aren't worth loading.
    case jumpBegan(target: Double)
    /// A programmatic scroll, or a drag of the scroll bar, has ended: the list stands still.
    case jumpEnded
    /// Rows were added, removed or resized, or the viewport was.
    ///
    /// The offset has moved by `shift` px with the rows in view, and the motion goes on from there.
    /// The shift is nil if the list was scrolled, too: what was known of its motion is discarded.
    case changed(shift: Double? = 0)
    /// A frame is displayed.
    case frame
}

extension ScrollEvent {
    /// The greatest distance of a finger from the top of the viewport, in px: sums of its squares
    /// don't overflow.
    package static let farthest = 1e9

    /// The event without numbers that make no sense; nil if nothing is left of it.
    ///
    /// A finger that lifts nobody knows where has left the list: its touch is cancelled.
    var valid: ScrollEvent? {
        switch self {
        case .down(let y), .moved(let y): abs(y) <= Self.farthest ? self : nil
        case .up(let y, let target):
            if abs(y) <= Self.farthest {
                target?.isNaN == true ? .up(y: y) : self
            } else {
                .cancelled
            }
        case .jumpBegan(let target): target.isNaN ? nil : self
        case .changed(let shift): shift?.isFinite == false ? .changed(shift: nil) : self
        case .cancelled, .wheel, .key, .jumpEnded, .frame: self
        }
    }
}

/// The input of a rule: an event of a list, and the state of the list at that time.
public struct ScrollState: Sendable {
    /// The event; nil if there was none since the last, and the rule is only asked.
    public var event: ScrollEvent?
    /// The time of the event; for a frame, the time at which it began.
    public var time: Instant
    /// The time at which the rule is asked, which may be later.
    public var now: Instant
    /// The list at the time of the event.
    public var viewport: Viewport
    /// The list's motion.
    public var motion: ScrollMotion
    /// The forecast of the fling that moves the list; nil if there is none, or its landing is
    /// unknown.
    public var forecast: FlingForecast?

    /// An event, and the state of the list at that time.
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
