/// A tracker that turns a list's events into one value: its offset, its motion and its forecast.
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
/// Touches, offsets, wheel and key events, programmatic scrolls and edits all enter by
/// ``note(_:at:offset:)``, so no rule has to measure anything again. The scroller that moves the
/// list is identified from its flings, unless it is given.
public struct ScrollTracker: Sendable {
    /// The time without events after which a touch is considered lost: its page may be gone.
    private static let longestTouch = Duration.seconds(10)

    /// The list at its last event.
    package private(set) var viewport: Viewport
    /// The list's motion.
    package private(set) var motion = ScrollMotion()
    /// The time of the last event; nil before the first.
    package private(set) var lastEvent: Instant?
    private var predictor: FlingPredictor
    private var invalid = 0

    /// The number of events, offsets and heights that were ignored, as a whole or in part, since
    /// their numbers make no sense.
    package var ignored: Int { invalid + viewport.ignored }

    /// A tracker of a list at rest that a scroller moves; nil to identify the scroller.
    public init(_ viewport: Viewport, scroller: Scroller? = nil) {
        self.init(
            viewport,
            predictor: scroller.map { FlingPredictor(model: $0.model, tracking: $0.tracking) }
                ?? FlingPredictor(learning: FlingLearner()))
    }

    package init(_ viewport: Viewport, predictor: FlingPredictor) {
        self.viewport = viewport
        self.viewport.pendingShift = 0
        self.predictor = predictor
    }

    /// The forecast of the fling that moves the list; nil if there is none, or its landing is
    /// unknown.
    ///
    /// A target that the scroller has reported takes precedence over a predicted one.
    package var forecast: FlingForecast? {
        guard let target = motion.flingTarget else { return predictor.forecast }
        return FlingForecast(
            target: target, velocity: predictor.forecast?.velocity ?? motion.velocity)
    }

    /// The list as it stood at the last event, for a rule that has noted the events and is asked now.
    package var moment: ScrollState { moment(nil, at: lastEvent ?? .zero) }

    /// Processes an event, and returns the state of the list after it.
    ///
    /// O(log rows), and about twenty evaluations of a fling at each of its frames.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - time: the time of the event; for a frame, the time at which it began. Times that run
    ///     backwards are ignored.
    ///   - offset: the list's offset at that time, in px, which is clamped; nil if it is unchanged.
    /// - Returns: the input of a rule. Positions, offsets and targets that aren't numbers, and fingers
    ///   farther than 10⁹ px away, are ignored.
    @discardableResult
    public mutating func note(
        _ event: ScrollEvent, at time: Instant, offset: Double? = nil
    ) -> ScrollState {
        let valid = event.valid
        if valid != event { invalid += 1 }
        guard let valid else {
            if let offset { viewport.scroll(to: offset) }
            return moment(nil, at: time)
        }
        lastEvent = time
        return process(valid, at: time, offset: offset)
    }

    /// Processes the absence of events: frames continued, and the offset is unchanged.
    ///
    /// For a list that is shown elsewhere and sends events only; see ``nextCheck(after:at:)``. A
    /// touch without events for ten seconds is cancelled.
    ///
    /// - Returns: the input of a rule.
    @discardableResult
    package mutating func noteSilence(at time: Instant) -> ScrollState {
        if motion.isTouched, let lastEvent, time - lastEvent > Self.longestTouch {
            process(.cancelled, at: time)
        }
        return process(.frame, at: time)
    }

    /// Returns the time at which to call ``noteSilence(at:)`` if no event comes before.
    ///
    /// That is soon while the list may move, and once more when it has rested for so long that rules
    /// want nothing else from then on.
    ///
    /// - Parameters:
    ///   - last: The last time at which this was done.
    ///   - now: The present time.
    /// - Returns: The time; nil if there is no need.
    package func nextCheck(after last: Instant, at now: Instant) -> Instant? {
        let event = lastEvent ?? .zero
        let isMoving =
            forecast != nil || motion.target != nil
            || !motion.hasRested(for: .milliseconds(150), at: now)
        guard !isMoving else { return max(event, last) + .milliseconds(160) }
        let rest = max(event, motion.lastMoved ?? .zero) + .milliseconds(3100)
        return rest > last ? rest : nil
    }

    /// Changes the list or its viewport, and processes that its rows have moved.
    ///
    /// If the offset moves along to keep the rows in view in their places, so do the landing of a
    /// fling and a reported target. If `body` scrolls the list, what was known of its motion is
    /// discarded.
    ///
    /// ```swift
    /// tracker.change(at: now) { $0.height = 600 }
    /// ```
    @discardableResult
    public mutating func change(
        at time: Instant, _ body: (inout Viewport) throws -> Void
    ) rethrows -> ScrollState {
        let before = viewport.offset
        try body(&viewport)
        let shift = viewport.pendingShift
        viewport.pendingShift = 0
        lastEvent = time
        let isScrolled = abs(viewport.offset - before - shift) >= 0.5
        return process(.changed(shift: isScrolled ? nil : shift), at: time)
    }

    /// Sets the height of the viewport, in px; the effect is processed with the next frame.
    ///
    /// A height that isn't from 0 to 2²⁰ is ignored, and counted in ``ignored``.
    package mutating func resize(to height: Double) {
        if viewport.height != height { viewport.height = height }
    }

    @discardableResult
    private mutating func process(
        _ event: ScrollEvent, at time: Instant, offset: Double? = nil
    ) -> ScrollState {
        if let offset { viewport.scroll(to: offset) }
        switch event {
        case .down(let y): predictor.fingerDown(y, at: time, offset: viewport.offset)
        case .moved(let y): predictor.fingerMoved(y, at: time)
        case .up(let y, _): predictor.fingerUp(y, at: time, in: viewport)
        case .frame: predictor.observe(viewport.offset, at: time, in: viewport)
        case .changed(let shift?): predictor.shift(by: shift, in: viewport)
        case .changed where motion.isTouched, .jumpEnded: break
        case .cancelled, .wheel, .key, .changed, .jumpBegan: predictor.fingerCancelled()
        }
        motion.note(event, at: time, in: viewport)
        viewport.phase = motion.phase
        return moment(event, at: time)
    }

    private func moment(_ event: ScrollEvent?, at time: Instant) -> ScrollState {
        ScrollState(event, at: time, viewport: viewport, motion: motion, forecast: forecast)
    }
}
