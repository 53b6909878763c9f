internal import LullLibC

/// One frame of a frame source, as passed to its handler.
public struct Frame: Equatable, Sendable {
    /// The number of the frame since the source's start, counting missed ones too.
    package let number: Int
    /// The time at which the frame was due.
    public let due: Instant
    /// The time at which its handler was called.
    package let start: Instant
    /// The time at which the next frame is due: drawing should be complete by then.
    public let end: Instant
    /// The number of frames missed since the last one.
    public let missed: Int

    /// The delay with which the handler was called.
    package var delay: Duration { due.duration(to: start) }
}

/// A periodic source of frames that lulls must not delay: a display, an animation, a client's frame
/// callbacks.
///
/// The idle queue knows when the next frame is due. Slices end then, and a whole job that is
/// expected to make the frame's handler start later than the source's tolerance is held back:
///
/// ```swift
/// let frames = loop.frames(every: .nanoseconds(16_666_667)) { frame in drawList(at: frame.due) }
/// frames.pause()  // until something moves again
/// ```
///
/// The tolerance, unless given, is the frame's slack before its end: the period minus the expected
/// duration of its handler. A paused source costs nothing.
public final class FrameSource {
    /// The time from one frame to the next.
    package let period: Duration
    /// Whether the source delivers frames.
    package var isActive: Bool { isOn && loop?.isClosed == false }

    private var isOn = false
    /// The loop; nil after the source is cancelled.
    private var loop: LoopContext?
    private let givenTolerance: Duration?
    private var handler: ((Frame) -> Void)?
    private var cost = CostLine()
    private let origin: Instant
    private var last = -1
    /// The loop's timer for the next frame.
    private var timer: TimerTable.ID?

    init(
        loop: LoopContext, period: Duration, from origin: Instant,
        tolerance: Duration?, handler: @escaping (Frame) -> Void
    ) {
        self.loop = loop
        self.period = period
        self.origin = origin
        givenTolerance = tolerance
        self.handler = handler
    }

    deinit {
        cancel()
    }

    /// The longest delay of a frame that jobs may cause.
    ///
    /// Until a frame has been measured, it's zero.
    package var tolerance: Duration {
        if let givenTolerance { return givenTolerance }
        return cost.count == 0 ? .zero : max(.zero, period - cost.estimate().bound)
    }

    /// Stops the frames until `resume()` is called.
    ///
    /// A second call does nothing.
    public func pause() {
        guard isOn, let loop else { return }
        isOn = false
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// Resumes the frames, at the same multiples of the period as before.
    ///
    /// A second call does nothing.
    public func resume() {
        guard let loop else { return }
        resume(at: loop.clock.now)
    }

    /// Resumes the frames that are due at `now` or later.
    fileprivate func resume(at now: Instant) {
        guard !isOn, let loop else { return }
        isOn = true
        arm(from: now, on: loop)
    }

    /// Ends the source for good, and releases its handler.
    ///
    /// A second call does nothing.
    public func cancel() {
        pause()
        loop = nil
        _ = handler.take()  // after the change: a `deinit` of what it captures may call back
    }

    /// Arms a timer for the first frame that is due at `moment` or later.
    private func arm(from moment: Instant, on loop: LoopContext) {
        let next = max(last, lastFrame(dueBy: moment.later(by: -1))) + 1
        let rhythm = TimerTable.Rhythm(period: 0, tolerance: tolerance.wholeNanoseconds)
        timer = loop.schedule(at: due(next), rhythm) { [weak self] in self?.deliver(next) }
    }

    /// Returns the number of the last frame that was due by `moment`, negative before the first.
    private func lastFrame(dueBy moment: Instant) -> Int {
        let elapsed = origin.duration(to: moment)
        guard elapsed >= .zero else { return -1 }
        // Due times are whole nanoseconds: this is the last that is less than the next of these.
        let end = (elapsed + .nanoseconds(1)).attoseconds - 1
        return Int(clamping: end / period.attoseconds)
    }

    private func due(_ number: Int) -> Instant { origin.advanced(by: period * number) }

    private func deliver(_ number: Int) {
        guard let loop, isActive else { return }
        timer = nil
        let now = loop.clock.now
        let current = max(number, lastFrame(dueBy: now))  // missed frames aren't delivered
        let frame = Frame(
            number: current, due: due(current), start: now, end: due(current + 1),
            missed: current - last - 1)
        last = current
        loop.state.counts.frames += 1
        handler?(frame)
        cost.add(Double(loop.clock.now.since(now)), size: nil)
        guard isActive, timer == nil else { return }
        arm(from: loop.clock.now, on: loop)
    }
}

// Frames, which lulls must not delay.
extension MainLoop {
    /// Calls `handler` every `period` from `start` on, at exact multiples of it.
    ///
    /// A frame whose time has passed is skipped and counted as missed. For the tolerance see
    /// `FrameSource`. The source runs until it's paused, cancelled or released; the source of a
    /// closed loop isn't active. Traps if the period is less than a microsecond.
    public func frames(
        every period: Duration, from start: Instant? = nil, tolerance: Duration? = nil,
        _ handler: @escaping (Frame) -> Void
    ) -> FrameSource {
        precondition(period >= .microseconds(1), "a frame takes a microsecond at least")
        // The same time for both: a source that starts now hasn't missed its first frame.
        let now = clock.now
        let source = FrameSource(
            loop: context, period: period, from: start ?? now,
            tolerance: tolerance.map { max(.zero, $0) }, handler: handler)
        source.resume(at: now)
        return source
    }

    /// Notes that the host draws a frame at `instant`: slices end then, and a whole job that is
    /// expected to make it late is held back.
    ///
    /// It's for frames that come from elsewhere than ``frames(every:from:tolerance:_:)``, such
    /// as those of a toolkit's frame clock. Call it in each frame for the next one, which replaces
    /// the one before. A frame that hasn't come when it was due isn't expected any more.
    public func expectFrame(at instant: Instant) {
        guard !isClosed else { return }
        context.checkThread()
        context.state.hostFrame = instant
    }
}
