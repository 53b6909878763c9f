internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// How a list moves, as its frames show it: what a rule is told by its own system and here isn't.
struct Motion {
    /// The last frame's offset and beginning; nil before the first.
    private(set) var last: (offset: Double, time: Instant)?
    /// How far the list went from the frame before to the last, in px.
    private(set) var distance = 0.0
    /// The time from the frame before to the last.
    private(set) var interval: Duration = .zero
    /// Whether it went down last, and kept when it rests; down at first.
    private(set) var isForward = true
    /// Whether it ever moved.
    private(set) var hasScrolled = false
    /// When the last frame began that showed it moved; before the first of them, when the first
    /// frame did.
    private(set) var lastMoved: Instant?
    private(set) var isTouched = false

    /// Takes in what has happened.
    mutating func note(_ moment: ScrollMoment) {
        switch moment.event {
        case .down: isTouched = true
        case .up, .cancelled: isTouched = false
        case .frame: noteFrame(moment.viewport.offset, at: moment.time)
        default: break
        }
    }

    private mutating func noteFrame(_ offset: Double, at time: Instant) {
        defer { last = (offset, time) }
        guard let last else {
            lastMoved = time
            return
        }
        distance = offset - last.offset
        interval = last.time.duration(to: time)
        guard distance != 0 else { return }
        isForward = distance > 0
        hasScrolled = true
        lastMoved = time
    }

    /// Whether the last frame showed another offset than the one before.
    var hasMoved: Bool { distance != 0 }

    /// The speed over the last two frames, in px a second; positive when the offset grows.
    var velocity: Double { interval > .zero ? distance / interval.inSeconds : 0 }

    /// For how long the list has rested.
    func rest(at now: Instant) -> Duration { lastMoved?.duration(to: now) ?? .zero }
}
