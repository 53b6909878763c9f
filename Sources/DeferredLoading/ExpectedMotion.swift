internal import Glibc
internal import IdleLoop
internal import ScrollModel

/// What frames and touches tell of how a list moves; times are in seconds on the loop's clock.
struct ExpectedMotion {
    private struct Sample {
        var time: Double
        var value: Double
    }

    private var frames: [Sample] = []
    private var finger: [Sample] = []
    private var touch = 0.0
    private var lifted = -1e9
    private var stepped = -1e9
    private var lastMoved = -1e9
    private var firstFrame: Double?
    private(set) var isTouched = false
    /// Where the scroller says that it is going.
    private(set) var target: Double?
    /// Which way the list went last: 1 when the offset grew, which is also the first guess.
    private(set) var direction = 1
    /// The velocity in px per second; 0 at rest.
    private(set) var velocity = 0.0
    /// Whether the list stands still and no finger drags it.
    private(set) var isResting = false
    /// The time between two frames.
    private(set) var frameInterval = 1.0 / 60
    private(set) var lastFrame: Double?

    // MARK: - What happens

    mutating func note(_ moment: ScrollMoment, by tuning: ExpectedValue.Configuration) {
        noteInput(moment)
        let start = moment.start.seconds
        if case .frame = moment.event {
            noteFrame(
                at: start, offset: moment.viewport.offset,
                jump: tuning.jump * moment.viewport.height)
        }
        measure(start: start, now: moment.now.seconds, by: tuning)
    }

    private mutating func noteInput(_ moment: ScrollMoment) {
        switch moment.event {
        case .down:
            isTouched = true
            // Whatever moved the list before doesn't any longer.
            if let last = frames.last { frames = [last] }
            finger = []
            touch = moment.finger?.y ?? 0
            target = nil
        case .up(let prediction):
            isTouched = false
            lifted = moment.now.seconds
            if let prediction, prediction.source == .host { target = prediction.target }
        case .cancelled: isTouched = false
        case .wheel, .key:
            stepped = moment.now.seconds
            target = nil
        case .scrollToTopBegan: target = moment.viewport.minimumOffset
        case .scrollToTopEnded: target = nil
        case .changed:
            // Rows are elsewhere now: what was seen before says nothing of where the list goes.
            frames = []
            target = nil
        case .moved, .frame: break
        }
        if isTouched, let place = moment.finger {
            finger.append(Sample(time: place.time.seconds, value: place.y))
            if finger.count > 64 { finger.removeFirst(32) }
        }
    }

    private mutating func noteFrame(at time: Double, offset: Double, jump: Double) {
        if let lastFrame, time - lastFrame > 0.004 {
            frameInterval = min(frameInterval, time - lastFrame)
        }
        if let last = frames.last, last.value != offset { lastMoved = time }
        if let last = frames.last {
            let way = abs(offset - last.value)
            let before = frames.count > 1 ? abs(last.value - frames[frames.count - 2].value) : 0
            if way > jump, before < way / 4 {
                frames = []
                direction = offset > last.value ? 1 : -1
            }
        }
        firstFrame = firstFrame ?? time
        lastFrame = time
        frames.append(Sample(time: time, value: offset))
        if frames.count > 2, frames[0].time < time - 0.5 { frames.removeFirst() }
        // More than any screen shows in that time, when time hardly goes on.
        if frames.count > 256 { frames.removeFirst(128) }
    }

    /// How long nothing has moved, as far as was seen.
    func stillness(at now: Double) -> Double {
        guard isResting, let firstFrame else { return 0 }
        return now - max(lastMoved, firstFrame)
    }

    // MARK: - Velocity

    private mutating func measure(
        start: Double, now: Double, by tuning: ExpectedValue.Configuration
    ) {
        let end = frames.last?.time ?? start
        velocity = Self.slope(of: frames, from: end - tuning.window, to: end).value
        isResting = start - lastMoved > tuning.rest
        if isResting {
            velocity = 0
            if !isTouched { target = nil }
        }
        if isTouched, finger.count >= 2 { measureFinger(now: now, by: tuning) }
        if velocity != 0 { direction = velocity > 0 ? 1 : -1 }
    }

    /// A finger that moves says more than the list that follows it; one that holds still, too.
    private mutating func measureFinger(now: Double, by tuning: ExpectedValue.Configuration) {
        let last = finger[finger.count - 1]
        if now - last.time > 0.04 {
            velocity = 0
        } else if abs(last.value - touch) > 3 {
            velocity =
                -Self.slope(of: finger, from: last.time - tuning.fingerWindow, to: last.time).value
        }
        if velocity != 0 { isResting = false }
    }

    /// The slope of the samples between two times, by least squares, and how many there were.
    ///
    /// It reaches further back, by a quarter of a second, until it has two: late frames are rare.
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

    // MARK: - Where it goes

    /// The ways that the list may go from now on, the likeliest of a kind first.
    func paths(
        in viewport: Viewport, now: Double, by tuning: ExpectedValue.Configuration
    ) -> [ExpectedPath] {
        guard velocity != 0 else { return [.rest] }
        let exponent = tuning.exponent
        if isTouched {
            return [
                ExpectedPath(
                    weight: 1 - tuning.release, velocity: velocity, duration: tuning.drag,
                    exponent: 2),
                ExpectedPath(
                    weight: tuning.release, velocity: velocity, duration: tuning.flight,
                    exponent: exponent),
            ]
        }
        if let target, (target - viewport.offset) * velocity > 0 {
            let way = target - viewport.offset
            return [
                ExpectedPath(
                    weight: 1, distance: way,
                    duration: min(max(exponent * way / velocity, 0.06), 2 * tuning.longestFlight),
                    exponent: exponent)
            ]
        }
        if now - stepped < 0.5, stepped > lifted {
            return [
                ExpectedPath(weight: 1, velocity: velocity, duration: tuning.step, exponent: 2)
            ]
        }
        let duration = flightTime(now: now, by: tuning)
        return [
            (1.0, 1 - tuning.longer.share - tuning.shorter.share), tuning.longer, tuning.shorter,
        ].map { factor, share in
            ExpectedPath(
                weight: share, velocity: velocity, duration: duration * factor, exponent: exponent)
        }
    }

    /// How long a flight goes on.
    ///
    /// From how its velocity falls: for the path of ``ExpectedPath``, T = (n − 1)·v / a.
    private func flightTime(now: Double, by tuning: ExpectedValue.Configuration) -> Double {
        let end = frames.last?.time ?? now
        let isFling = lifted > stepped && lifted > -1e8
        let since = end - lifted
        guard !isFling || since >= 0.02 + tuning.window else { return tuning.flight }
        let late = end - tuning.window
        let begin = isFling ? max(late - tuning.before, lifted) : late - tuning.before
        let before = Self.slope(of: frames, from: begin, to: late)
        guard before.count >= 2 else { return tuning.flight }
        let between = (tuning.window + (late - begin)) / 2
        let braking =
            (before.value >= 0) == (velocity >= 0)
            ? (abs(before.value) - abs(velocity)) / between : 0
        var time = tuning.animation
        if braking > 0 {
            time = (tuning.exponent - 1) * abs(velocity) / braking
            time = max(0.06, min(tuning.longestFlight, time))
        }
        guard isFling, tuning.settling > 0 else { return time }
        let trust = 1 / (1 + since / tuning.settling)
        return exp((1 - trust) * log(time) + trust * log(tuning.flight))
    }
}

extension Instant {
    /// Seconds since the clock's origin, the unit of the formulas.
    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Duration {
    /// The time in seconds, the unit of the formulas.
    var inSeconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }
}
