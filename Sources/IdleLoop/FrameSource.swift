/// One beat of a frame source, as its handler is told.
public struct Frame: Equatable, Sendable {
    /// Counts the beats from the source's start, those that were missed too.
    public let number: Int
    /// When it was due.
    public let due: Instant
    /// When its handler was called.
    public let start: Instant
    /// When the next one is due: what is drawn now should be done by then.
    public let end: Instant
    /// The beats since the last frame that had none.
    public let missed: Int

    /// How late the handler was called.
    package var delay: Duration { due.duration(to: start) }
}

/// A rhythm that a lull must not disturb: a display's, an animation's, a client's frame callbacks.
///
/// The idle queue knows when the next frame is due. Slices end then, and a whole job that is
/// expected to make the frame's handler start later than the source's tolerance is held back:
///
/// ```swift
/// let frames = loop.frames(every: .nanoseconds(16_666_667)) { frame in drawList(at: frame.due) }
/// frames.pause()  // until something moves again
/// ```
///
/// The tolerance, unless given, is the frame's own slack before its end: the period without what its
/// handler is expected to take. A source that is paused costs nothing.
public final class FrameSource {
    /// The time from one frame to the next.
    package let period: Duration
    /// What it is called in traces.
    package let name: String
    /// Whether frames are to come.
    public var isActive: Bool { isOn && loop?.isClosed == false }

    private var isOn = false
    /// Nil once it's cancelled.
    private var loop: LoopContext?
    private let givenTolerance: Duration?
    private var handler: ((Frame) -> Void)?
    private var cost = CostEstimate()
    private var origin: Instant
    private var last = -1
    /// By what the frames come: the loop's own timers, or a descriptor.
    private var timer: TimerTable.ID?
    private var watch: Watch?

    init(
        loop: LoopContext, name: String, period: Duration, from origin: Instant,
        tolerance: Duration?, handler: @escaping (Frame) -> Void
    ) {
        self.loop = loop
        self.name = name
        self.period = period
        self.origin = origin
        givenTolerance = tolerance
        self.handler = handler
    }

    deinit {
        cancel()
    }

    /// How late a frame may be, as far as jobs have a say in it.
    ///
    /// Until a frame has been measured, it may not be late at all.
    package var tolerance: Duration {
        if let givenTolerance { return givenTolerance }
        guard let cost = cost.expected else { return .zero }
        return max(.zero, period - cost)
    }

    /// Has no more frames come until `resume()`.
    ///
    /// A second call does nothing.
    public func pause() {
        guard isOn, let loop else { return }
        isOn = false
        if let timer { loop.cancel(timer) }
        timer = nil
        loop.expectations.remove(ObjectIdentifier(self))
    }

    /// Lets frames come again, in the rhythm of before.
    ///
    /// A second call does nothing.
    public func resume() {
        guard let loop else { return }
        resume(at: loop.clock.now)
    }

    /// Has frames come whose time isn't before `now`, that of the call.
    fileprivate func resume(at now: Instant) {
        guard !isOn, let loop else { return }
        isOn = true
        guard watch == nil else { return }  // the next one to come sets the expectation
        arm(from: now, on: loop)
    }

    /// Ends the source for good, and lets go of its handler.
    ///
    /// A second call does nothing.
    public func cancel() {
        pause()
        watch?.cancel()
        watch = nil
        loop = nil
        let handler = handler
        self.handler = nil
        withExtendedLifetime(handler) {}  // until here: what it holds may call as it goes
    }

    // MARK: - By the loop's timers

    /// Arms a timer for the first beat of the rhythm not before `moment`.
    private func arm(from moment: Instant, on loop: LoopContext) {
        let next = max(last, beat(at: moment.later(by: -1))) + 1
        let rhythm = TimerTable.Rhythm(period: 0, tolerance: tolerance.wholeNanoseconds)
        timer = loop.schedule(at: due(next), rhythm) { [weak self] in self?.beat(next) }
    }

    /// The number of the last beat not after `moment`, negative before the first.
    private func beat(at moment: Instant) -> Int {
        let elapsed = origin.duration(to: moment)
        guard elapsed >= .zero else { return -1 }
        // The division may be off by a few.
        var number = Int((elapsed / period).rounded(.down))
        while number > 0, due(number) > moment { number -= 1 }
        while due(number + 1) <= moment, moment < .distantFuture { number += 1 }
        return number
    }

    private func due(_ number: Int) -> Instant { origin.advanced(by: period * number) }

    private func beat(_ number: Int) {
        guard let loop, isActive else { return }
        timer = nil
        let now = loop.clock.now
        let current = max(number, beat(at: now))  // beats that are past have no frame
        show(current, due: due(current), end: due(current + 1), now: now, on: loop)
        guard isActive, timer == nil else { return }
        arm(from: loop.clock.now, on: loop)
    }

    private func show(
        _ number: Int, due: Instant, end: Instant, now: Instant, on loop: LoopContext
    ) {
        let frame = Frame(
            number: number, due: due, start: now, end: end, missed: number - last - 1)
        last = number
        loop.counts.frames += 1
        guard let handler else { return }
        if loop.recorder == nil {
            handler(frame)
        } else {
            loop.record(.frame(name)) { handler(frame) }
        }
        cost.learn(loop.clock.now.since(now))
    }

    // MARK: - By a descriptor

    fileprivate func watch(
        _ descriptor: Int32, on loop: MainLoop, take: @escaping () -> Void
    ) throws(LoopError) {
        isOn = true
        watch = try loop.watch(descriptor, for: .readable) { [weak self] _ in
            take()
            self?.arrived()
        }
    }

    /// A frame has come by its descriptor: the next is expected a period later.
    private func arrived() {
        guard let loop, isActive else { return }
        let now = loop.clock.now
        let expected = last < 0 ? now : origin.advanced(by: period)
        let missed = max(0, Int((expected.duration(to: now) / period).rounded()))
        let isOnTime = last >= 0 && missed == 0
        let due = isOnTime ? min(expected, now) : now
        origin = now
        show(
            last + 1 + (last < 0 ? 0 : missed), due: due, end: due.advanced(by: period), now: now,
            on: loop)
        guard isActive else { return }
        let next = origin.advanced(by: period)
        loop.expectations.insert(
            ObjectIdentifier(self), due: next, latest: next.advanced(by: tolerance))
    }
}

// Frames: rhythms that lulls must fit into.
extension MainLoop {
    /// Calls `handler` every `period` from `start` on, at exact multiples of it.
    ///
    /// A frame whose time has gone by is left out and counted as missed. See `FrameSource` for the
    /// tolerance. The source runs until it's paused or cancelled, or let go of; that of a closed loop
    /// isn't active.
    public func frames(
        every period: Duration, from start: Instant? = nil, tolerance: Duration? = nil,
        name: String = "frame", _ handler: @escaping (Frame) -> Void
    ) -> FrameSource {
        precondition(period >= .microseconds(1), "a frame takes a microsecond at least")
        precondition(tolerance.map { $0 >= .zero } ?? true, "a tolerance is not negative")
        // One moment for both: a rhythm that begins now hasn't missed its first beat.
        let now = clock.now
        let source = FrameSource(
            loop: context, name: name, period: period, from: start ?? now, tolerance: tolerance,
            handler: handler)
        source.resume(at: now)
        return source
    }

    /// Calls `handler` each time `descriptor` gets readable, about every `period`: a display's
    /// vertical blank, a client that asks for its next picture.
    ///
    /// `take` reads what makes the descriptor readable. The next frame is expected a period after
    /// the last; when it doesn't come within its tolerance, it's expected no more, until one comes
    /// again. Throws what `watch(_:for:)` throws.
    public func frames(
        on descriptor: Int32, every period: Duration, tolerance: Duration? = nil,
        name: String = "frame", take: @escaping () -> Void, _ handler: @escaping (Frame) -> Void
    ) throws(LoopError) -> FrameSource {
        precondition(period >= .microseconds(1), "a frame takes a microsecond at least")
        precondition(tolerance.map { $0 >= .zero } ?? true, "a tolerance is not negative")
        let source = FrameSource(
            loop: context, name: name, period: period, from: clock.now, tolerance: tolerance,
            handler: handler)
        try source.watch(descriptor, on: self, take: take)
        return source
    }
}
