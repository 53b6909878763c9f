/// From what happens to a list to one value for the moment: where it is, how it moves, and where it
/// will rest.
///
/// ```swift
/// var tracker = ScrollTracker(Viewport(rows: heights, height: 800))
/// tracker.note(.down(y: 700), at: now)
/// …
/// let moment = tracker.note(.frame, at: now, offset: 1_240)
/// moment.motion.velocity          // px per second
/// moment.forecast?.target         // where the fling will rest
/// rule.wanted(after: moment, loads: facts)
/// ```
///
/// Touches, offsets, wheels, keys, jumps and edits all come in by ``note(_:at:offset:)``, so
/// that no rule measures anything a second time. Which scroller moves the list is found out from
/// its flings, unless it is given.
public struct ScrollTracker: Sendable {
    /// The silence after which a finger counts as gone: its page may be.
    private static let longestTouch = Duration.seconds(10)

    /// The list as it was seen last.
    public private(set) var viewport: Viewport
    /// The list's motion.
    public private(set) var motion = ScrollMotion()
    /// The time of the last event; nil before the first.
    package private(set) var lastEvent: Instant?
    private var predictor: FlingPredictor

    /// A tracker of a list that rests, and that this scroller moves; nil to find out which does.
    public init(_ viewport: Viewport, scroller: Scroller? = nil) {
        self.init(
            viewport,
            predictor: scroller.map { FlingPredictor(model: $0.model, tracking: $0.tracking) }
                ?? FlingPredictor(learning: FlingLearner()))
    }

    package init(_ viewport: Viewport, predictor: FlingPredictor) {
        self.viewport = viewport
        self.predictor = predictor
    }

    /// The forecast of the fling that moves the list; nil if none does, or nobody knows its end.
    public var forecast: FlingForecast? { predictor.forecast }

    /// The list as it stood at the last event, for a rule that was told of that and is asked now.
    package var moment: ScrollMoment { moment(nil, at: lastEvent ?? .zero) }

    /// Takes in what has happened, and returns how the list stands then.
    ///
    /// O(log rows), and some twenty evaluations of a fling at a frame of one.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - time: when; for a frame, when it began. What runs backwards is no news.
    ///   - offset: where the list is by then, in px, which is clamped; nil if that is as it was.
    /// - Returns: what a rule is told.
    /// - Precondition: places of fingers and offsets are finite.
    @discardableResult
    public mutating func note(
        _ event: ScrollEvent, at time: Instant, offset: Double? = nil
    ) -> ScrollMoment {
        lastEvent = time
        return take(event, at: time, offset: offset)
    }

    /// Takes in that nothing has happened: frames went on, and the list is where it was.
    ///
    /// A finger that wasn't heard of for ten seconds is gone.
    @discardableResult
    package mutating func noteSilence(at time: Instant) -> ScrollMoment {
        if motion.isTouched, let lastEvent, time - lastEvent > Self.longestTouch {
            take(.cancelled, at: time)
        }
        return take(.frame, at: time)
    }

    /// Changes the list, or its window, and takes in that its rows are elsewhere now.
    ///
    /// ```swift
    /// tracker.change(at: now) { $0.height = 600 }
    /// ```
    @discardableResult
    public mutating func change(
        at time: Instant, _ body: (inout Viewport) throws -> Void
    ) rethrows -> ScrollMoment {
        try body(&viewport)
        return take(.changed, at: time)
    }

    /// Gives the window another height, in px; what that shows is taken in with the next frame.
    ///
    /// - Precondition: finite, and not negative.
    package mutating func resize(to height: Double) {
        if viewport.height != height { viewport.height = height }
    }

    @discardableResult
    private mutating func take(
        _ event: ScrollEvent, at time: Instant, offset: Double? = nil
    ) -> ScrollMoment {
        if let offset { viewport.move(to: offset) }
        switch event {
        case .down(let y): predictor.fingerDown(y, at: time, offset: viewport.offset)
        case .moved(let y): predictor.fingerMoved(y, at: time)
        case .up(let y, let target):
            _ = predictor.fingerUp(y, at: time, in: viewport, hostTarget: target)
        case .frame: predictor.observe(viewport.offset, at: time, in: viewport)
        case .changed where motion.isTouched, .jumpEnded: break
        case .cancelled, .wheel, .key, .changed, .jumpBegan: predictor.fingerCancelled()
        }
        motion.note(event, at: time, in: viewport)
        viewport.phase = motion.phase
        return moment(event, at: time)
    }

    private func moment(_ event: ScrollEvent?, at time: Instant) -> ScrollMoment {
        ScrollMoment(event, at: time, viewport: viewport, motion: motion, forecast: forecast)
    }
}
