/// One fling while it lasts: its path, put right at each frame by where the list is.
struct Flight: Sendable {
    /// What a frame shows of a fling.
    enum Sight: Sendable {
        /// It goes on, on its path.
        case following
        /// It goes on by another path, from here.
        case boosted
        /// Something else moves the list, or holds it.
        case lost
        /// It has come to rest.
        case landed
    }

    private static let pointsKept = 8

    let model: any FlingModel
    private(set) var bounds: ClosedRange<Double>
    let limitHeight: Double
    let lift: Duration
    /// How far off the release velocity may be, as a share.
    let doubt: Double

    /// The path as it is believed now.
    private(set) var fling: Fling
    /// When the path began: at the lift, or at the last boost.
    private(set) var start: Duration
    /// The velocity it began with, by whoever measured it.
    private var release: Double
    private var origin: Double
    private var isLost = false
    private var lastStep = 0.0
    private var lastSpan = 0.0
    private var lastMove: Duration
    private(set) var last: (time: Duration, offset: Double)
    private var points: [(time: Double, offset: Double)] = []

    init(
        _ fling: Fling, by model: any FlingModel, in bounds: ClosedRange<Double>,
        limitHeight: Double, liftedAt lift: Duration, doubt: Double
    ) {
        self.fling = fling
        self.model = model
        self.bounds = bounds
        self.limitHeight = limitHeight
        self.lift = lift
        self.doubt = doubt
        start = lift
        release = fling.velocity
        origin = fling.start
        lastMove = lift
        last = (lift, fling.start)
    }

    /// Where the list will rest if it goes on like this, in px.
    ///
    /// A list that has gone farther than its path is where it will rest.
    var target: Double {
        fling.velocity < 0 ? min(fling.target, last.offset) : max(fling.target, last.offset)
    }

    /// Whether the list has stopped, where and when its path says so.
    func isResting(at time: Duration) -> Bool {
        !isLost && time - start >= fling.duration && lastStep == 0
    }

    /// Takes in that the list has become longer or shorter.
    mutating func rebound(to bounds: ClosedRange<Double>) {
        guard bounds != self.bounds else { return }
        self.bounds = bounds
        fling = model.fling(
            from: fling.start, velocity: fling.velocity, bounds: bounds,
            viewportHeight: limitHeight)
    }

    /// Takes in where the list is; a time that isn't later than the last is no news.
    mutating func see(_ seen: Double, at time: Duration) -> Sight {
        guard time > last.time else { return isLost ? .lost : .following }
        let offset = min(max(seen, bounds.lowerBound), bounds.upperBound)
        let step = offset - last.offset
        let span = (time - last.time).inSeconds
        let expected = fling.offset(at: time - start) - fling.offset(at: last.time - start)
        defer {
            last = (time, offset)
            (lastStep, lastSpan) = (step, span)
        }
        if abs(step) >= 0.5 { lastMove = time }
        if time - lastMove >= .milliseconds(60) { return .landed }
        if isLost { return returned(to: offset, at: time, step, expected) ? .following : .lost }

        let usual = lastSpan > 0 ? lastStep * span / lastSpan : expected
        switch change(step: step, expected: expected, usual: usual, at: time) {
        case .following:
            points.append(((time - start).inSeconds, offset))
            if points.count > Self.pointsKept { points.removeFirst() }
            fit()
            return .following
        case .boosted where abs(step) < 40_000 * span:
            restart(from: offset, velocity: step / span, at: time)
            return .boosted
        default:
            isLost = true
            return .lost
        }
    }

    /// What a step means, beside what the path and the step before let expect.
    private func change(
        step: Double, expected: Double, usual: Double, at time: Duration
    ) -> Sight {
        if step * fling.velocity < 0, abs(step) > 0.5 { return .lost }
        // The first frame or two after the lift may still show the drag.
        guard time - start > .milliseconds(34) else { return .following }
        if abs(step) < 0.5, abs(expected) >= 3 { return .lost }
        let least = min(abs(expected), abs(usual))
        if least >= 3, abs(step) < 0.4 * least { return .lost }
        let most = max(abs(expected), abs(usual))
        return abs(step) > 2 * most + 24 ? .boosted : .following
    }

    /// Whether a list that stood still for a frame is where its path leads.
    private mutating func returned(
        to offset: Double, at time: Duration, _ step: Double, _ expected: Double
    ) -> Bool {
        let off = abs(offset - fling.offset(at: time - start))
        isLost = !(step * fling.velocity > 0 && off <= max(2, abs(expected) / 2))
        return !isLost
    }

    private mutating func restart(from offset: Double, velocity: Double, at time: Duration) {
        fling = model.fling(
            from: offset, velocity: velocity, bounds: bounds, viewportHeight: limitHeight)
        start = time
        release = velocity
        origin = offset
        points.removeAll(keepingCapacity: true)
    }

    /// Moves the path's velocity and start to where the last frames lie nearest to it.
    ///
    /// A step of Gauss and Newton each frame, with the release as a prior: two paths, and two
    /// evaluations for each of the last points.
    private mutating func fit() {
        let others = points.map { $0.offset - fling.offset(at: .rounding(seconds: $0.time)) }
        guard points.count >= 2, others.contains(where: { abs($0) > 0.75 }) else { return }
        let velocity = fling.velocity
        let nudge = velocity * 0.02
        let nudged = model.fling(
            from: fling.start, velocity: velocity + nudge, bounds: bounds,
            viewportHeight: limitHeight)
        let slopes = points.map { point in
            let time = Duration.rounding(seconds: point.time)
            return (nudged.offset(at: time) - fling.offset(at: time)) / nudge
        }
        let priorVelocity = 1 / (doubt * doubt * release * release)
        let priorStart = 1 / (20.0 * 20.0)
        let aa = slopes.reduce(priorVelocity) { $0 + $1 * $1 }
        let ab = slopes.reduce(0, +)
        let bb = Double(points.count) + priorStart
        let a = zip(slopes, others).reduce(priorVelocity * (release - velocity)) {
            $0 + $1.0 * $1.1
        }
        let b = others.reduce(priorStart * (origin - fling.start), +)
        let determinant = aa * bb - ab * ab
        guard determinant > 0 else { return }
        let limit = 0.3 * abs(velocity)
        let change = min(max((a * bb - b * ab) / determinant, -limit), limit)
        let shift = (aa * b - ab * a) / determinant
        fling = model.fling(
            from: fling.start + shift, velocity: velocity + change, bounds: bounds,
            viewportHeight: limitHeight)
    }
}
