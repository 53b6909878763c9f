/// The motion of a list, measured once from frames and touches.
///
/// A ``ScrollTracker`` maintains it, and each ``ScrollState`` has its value at that time.
///
/// Its samples, and the figures that only formulas take, have times in seconds: each frame sums the
/// products of some ten samples, and the formulas are evaluated for each row on each path.
public struct ScrollMotion: Sendable {
    private struct Sample {
        var time: Double
        var value: Double
    }

    /// The offset to which the list moves, as the scroller or the program has reported.
    private struct Destination {
        /// The time after the report for which frames may still show the motion before it.
        private static let delay = Duration.milliseconds(34)
        /// The distance, in px, by which a list that moves to it may swing back.
        private static let slack = 24.0

        var offset: Double
        let reported: Instant
        let isJump: Bool
        private var nearest: Double

        init(_ offset: Double, reported: Instant, isJump: Bool, in viewport: Viewport) {
            self.offset = viewport.clamped(offset)
            self.reported = reported
            self.isJump = isJump
            nearest = abs(self.offset - viewport.offset)
        }

        /// Returns whether a list that is at an offset at a frame may still be on its way to it.
        mutating func isLikely(at offset: Double, _ time: Instant) -> Bool {
            let distance = abs(self.offset - offset)
            if time - reported <= Self.delay { nearest = distance }
            nearest = min(nearest, distance)
            return distance <= nearest + Self.slack
        }
    }

    /// The length of the window of frames that determine the velocity, in seconds.
    ///
    /// A shorter window is more up to date, but has too few frames when slow loads delay these.
    private static let window = 0.06
    /// The length of the window of touch samples that determine the velocity, in seconds.
    ///
    /// The finger is a frame or two ahead of the list, which matters most at the start of a
    /// gesture.
    private static let fingerWindow = 0.03
    /// The time without a move after which a list is at rest, in seconds.
    private static let rest = 0.06
    /// The distance from one frame to the next, in viewports, above which a list that was much
    /// slower has jumped: its destination is then unknown.
    private static let jump = 2.5

    private var frames: [Sample] = []
    private var finger: [Sample] = []
    private var touch = 0.0
    /// The velocity at the last lift, and the number of frames since, the first of which show the list as
    /// it was before: it counts for two of them.
    private var release: (velocity: Double, frames: Int) = (0, 2)
    private var firstFrame: Instant?
    private var hasJumped = false
    private var destination: Destination?

    /// Whether a finger holds the list.
    public private(set) var isTouched = false
    /// The velocity in px per second, positive when the offset grows; 0 at rest.
    ///
    /// It is the slope of the last 60 ms of frames, or of 30 ms of touch samples, by least squares.
    public private(set) var velocity = 0.0
    /// The last direction: 1 if the offset grew, which is also the initial value, or −1.
    package private(set) var direction = 1
    /// Whether the list has stood still for at least 60 ms, and no finger drags it.
    package private(set) var isResting = false
    /// The way from the frame before to the last, in px, and the time between the two.
    public private(set) var lastStep: (distance: Double, time: Duration) = (0, .zero)
    /// The beginning of the last frame that showed another offset; nil before the first.
    package private(set) var lastMoved: Instant?
    /// The beginning of the last frame; nil before the first.
    package private(set) var lastFrame: Instant?
    /// The shortest time between two frames, in seconds.
    package private(set) var frameInterval = 1.0 / 60
    /// The time of the last lift of a finger.
    package private(set) var lifted: Instant?
    /// The time of the last wheel or key event.
    package private(set) var stepped: Instant?
    /// Whether the last of these was a wheel's.
    package private(set) var isWheel = false
    /// Whether the last frame that showed another offset went down; true before the first.
    public private(set) var isMovingDown = true

    /// The motion of a list before any event.
    package init() {}

    /// The target offset, in px, that the scroller or the program has reported; nil if there is
    /// none.
    ///
    /// It holds until the list comes to rest, moves away from it, or something else moves the list.
    package var target: Double? { destination?.offset }

    /// The target of a fling, in px, that the scroller has reported; nil if there is none.
    package var flingTarget: Double? {
        destination.flatMap { $0.isJump ? nil : $0.offset }
    }

    /// The cause of the list's motion.
    public var phase: ScrollPhase {
        if isTouched { return .dragging }
        if let destination, destination.isJump { return .animating(target: destination.offset) }
        if isResting || lastMoved == nil && destination == nil { return .resting }
        return hasJumped ? .scrubbing : .decelerating
    }

    /// Returns the time for which frames have shown the list at rest; zero if it moves or is
    /// dragged.
    public func timeAtRest(at now: Instant) -> Duration {
        guard isResting, let firstFrame else { return .zero }
        return max(.zero, now - max(lastMoved ?? firstFrame, firstFrame))
    }

    /// Returns whether the list has come to rest: the last frame didn't move it, no finger holds
    /// it, and it hasn't moved for the given time, if ever.
    package func hasRested(for time: Duration, at now: Instant) -> Bool {
        guard !hasMoved, !isTouched else { return false }
        return [lastMoved, destination?.reported].allSatisfy {
            $0.map { now - $0 >= time } ?? true
        }
    }

    /// Whether the last frame showed another offset than the one before.
    package var hasMoved: Bool { lastStep.distance != 0 }

    /// The mean velocity of the last quarter of a second, in px per second: that of a list which a wheel
    /// moves by notches.
    package var steppedVelocity: Double {
        guard let last = frames.last?.time else { return 0 }
        return Self.slope(of: frames, from: last - 0.25, to: last).value
    }

    // MARK: - Events

    mutating func note(_ event: ScrollEvent, at time: Instant, in viewport: Viewport) {
        switch event {
        case .down(let y):
            isTouched = true
            hasJumped = false
            // The earlier motion of the list has ended.
            if let last = frames.last { frames = [last] }
            finger = [Sample(time: time.seconds, value: y)]
            touch = y
            release.frames = 2
            destination = nil
        case .moved(let y) where isTouched:
            finger.append(Sample(time: time.seconds, value: y))
            if finger.count > 64 { finger.removeFirst(32) }
        case .moved: break
        case .up(_, let host):
            // A finger that held still has none.
            if let last = finger.last, time.seconds - last.time <= 0.04 { release = (velocity, 0) }
            isTouched = false
            lifted = time
            if let host {
                destination = Destination(host, reported: time, isJump: false, in: viewport)
            }
        case .cancelled: isTouched = false
        case .wheel, .key:
            stepped = time
            isWheel = event == .wheel
            release.frames = 2
            destination = nil
        case .jumpBegan(let place):
            destination = Destination(place, reported: time, isJump: true, in: viewport)
        case .jumpEnded:
            destination = nil
            hasJumped = false
            // The program has stopped the list: its frames don't tell where it goes.
            if let last = frames.last { frames = [last] }
        case .changed(let shift?):
            for index in frames.indices { frames[index].value += shift }
            if let target { destination?.offset = viewport.clamped(target + shift) }
            return  // It moves as before; only frames tell when it rests.
        case .changed(nil):
            frames = []
            destination = nil
        case .frame:
            release.frames += 1
            noteFrame(at: time, viewport.offset, jump: Self.jump * viewport.height)
            if destination?.isLikely(at: viewport.offset, time) == false { destination = nil }
        }
        measure(at: time.seconds)
    }

    private mutating func noteFrame(at moment: Instant, _ offset: Double, jump: Double) {
        let time = moment.seconds
        if let lastFrame, time - lastFrame.seconds > 0.004 {
            frameInterval = min(frameInterval, time - lastFrame.seconds)
        }
        lastStep =
            frames.last.map { (offset - $0.value, moment - (lastFrame ?? moment)) } ?? (0, .zero)
        if let last = frames.last, hasMoved {
            lastMoved = moment
            isMovingDown = offset > last.value
            let way = abs(offset - last.value)
            let before = frames.count > 1 ? abs(last.value - frames[frames.count - 2].value) : 0
            if way > jump, before < way / 4 {
                frames = []
                hasJumped = true
                direction = offset > last.value ? 1 : -1
            }
        }
        firstFrame = firstFrame ?? moment
        lastFrame = moment
        frames.append(Sample(time: time, value: offset))
        if frames.count > 2, frames[0].time < time - 0.5 { frames.removeFirst() }
        // More frames than any screen shows in that time, for a clock that hardly advances.
        if frames.count > 256 { frames.removeFirst(128) }
    }

    // MARK: - Velocity

    private mutating func measure(at time: Double) {
        let end = frames.last?.time ?? time
        velocity = Self.slope(of: frames, from: end - Self.window, to: end).value
        func isLong(since moment: Instant?) -> Bool {
            moment.map { time - $0.seconds > Self.rest } ?? true
        }
        isResting = isLong(since: lastMoved) && isLong(since: destination?.reported)
        if isResting {
            velocity = 0
            hasJumped = false
            if !isTouched { destination = nil }
        }
        if isTouched, finger.count >= 2 { measureFinger(at: time) }
        if release.frames < 2, release.velocity != 0 {
            velocity = release.velocity
            isResting = false
        }
        if velocity != 0 { direction = velocity > 0 ? 1 : -1 }
    }

    /// Measures the velocity of a finger, which is more accurate than that of the list that follows
    /// it; also if it holds still.
    private mutating func measureFinger(at time: Double) {
        let last = finger[finger.count - 1]
        if time - last.time > 0.04 {
            velocity = 0
        } else if abs(last.value - touch) > 3 {
            velocity = -Self.slope(of: finger, from: last.time - Self.fingerWindow, to: last.time)
                .value
        }
        if velocity != 0 { isResting = false }
    }

    /// Whether the list moves by a finger's fling, with no wheel or key event since.
    package var isFling: Bool {
        guard let lifted else { return false }
        return stepped.map { lifted > $0 } ?? true
    }

    /// Returns whether a wheel or a key moves the list: the last of its events is at most half a second old.
    package func isStep(at now: Instant) -> Bool {
        guard !isFling, !isTouched, let stepped else { return false }
        return now - stepped < .milliseconds(500)
    }

    /// Returns the slope of the samples between two times, by least squares, and their number.
    ///
    /// If there are fewer than two, it extends the window back to a quarter of a second: late
    /// frames are rare.
    private static func slope(
        of samples: [Sample], from begin: Double, to end: Double
    ) -> (value: Double, count: Int) {
        var count = 0
        var (times, values, squares, products) = (0.0, 0.0, 0.0, 0.0)
        for sample in samples.reversed() where sample.time <= end + 1e-9 {
            let time = sample.time - end
            if sample.time < begin - 1e-9, count >= 2 || -time > 0.25 { break }
            count += 1
            times += time
            values += sample.value
            squares += time * time
            products += time * sample.value
        }
        let number = Double(count)
        let spread = number * squares - times * times
        guard count >= 2, spread > 0 else { return (0, count) }
        return ((number * products - times * values) / spread, count)
    }
}
