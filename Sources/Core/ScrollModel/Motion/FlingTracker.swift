/// A running fling: its path, corrected at each frame by the list's offset, and the samples for a
/// learner.
struct FlingTracker: Sendable {
    /// The state of a fling as a frame shows it.
    enum Observation: Sendable {
        /// The fling continues on its path.
        case following
        /// The fling continues on another path, from here.
        case accelerated
        /// Something else moves the list, or holds it.
        case lost
        /// The list has come to rest.
        case landed
    }

    /// The number of frames to which the path is fitted.
    private static let pointsKept = 8
    /// The number of frames that are kept for a learner, of the whole fling.
    private static let samplesKept = 64
    /// The time without a move after which a list is at rest.
    private static let restTime: Duration = .milliseconds(60)
    private static let longRestTime: Duration = .milliseconds(200)

    private let model: any FlingModel
    private var bounds: ClosedRange<Double>
    private let limitHeight: Double
    private let lift: Instant
    /// The release velocity by each estimator; empty if nothing is to be learned.
    private let velocities: [Double]
    /// The usual relative error of the release velocity.
    private let relativeDeviation: Double

    /// The current estimate of the path.
    private var fling: Fling
    /// The start time of the path: the lift, or the last acceleration.
    private var start: Instant
    /// The initial velocity of the path as measured.
    private var release: Double
    private var origin: Double
    /// Whether it stopped too early.
    private var isLost = false
    /// Whether something else has moved the list, so that nothing can be learned from its landing.
    private var isInterrupted = false
    private var lastStep = 0.0
    private var lastSpan = 0.0
    private var stepBefore = 0.0
    private var lastMove: Instant
    private var last: (time: Instant, offset: Double)
    private var points: [(time: Duration, offset: Double)] = []
    /// The offset at the release, and samples of the whole fling, one for each `interval` frames.
    private var samples: (start: Double, points: [(time: Duration, offset: Double)])
    private var interval = 1
    private var frames = 0

    init(
        _ fling: Fling, by model: any FlingModel, in bounds: ClosedRange<Double>,
        limitHeight: Double, liftedAt lift: Instant, relativeDeviation: Double,
        velocities: [Double]
    ) {
        self.fling = fling
        self.model = model
        self.bounds = bounds
        self.limitHeight = limitHeight
        self.lift = lift
        self.relativeDeviation = relativeDeviation
        self.velocities = velocities
        samples = (fling.start, [])
        start = lift
        release = fling.velocity
        origin = fling.start
        lastMove = lift
        last = (lift, fling.start)
    }

    /// The forecast at the last frame, or at the release.
    ///
    /// If a list has gone farther than its path, its current offset is where it will rest.
    var forecast: FlingForecast {
        FlingForecast(
            target: fling.velocity < 0
                ? min(fling.target, last.offset) : max(fling.target, last.offset),
            velocity: fling.velocity, path: fling, elapsed: last.time - start)
    }

    /// The offset at which the list came to rest by itself; nil if it is stopped by a bound.
    var landing: Double? {
        last.offset > bounds.lowerBound && last.offset < bounds.upperBound ? last.offset : nil
    }

    /// Returns the observed fling for a learner, once it rests at an offset that is not a bound.
    func observed() -> ObservedFling? {
        guard !velocities.isEmpty, !samples.points.isEmpty, let landing else { return nil }
        return ObservedFling(
            velocities: velocities, start: samples.start,
            offsets: samples.points + [(last.time - lift, landing)], viewportHeight: limitHeight)
    }

    /// Returns whether a list that is touched at an offset had come to rest after the last frame.
    func isResting(at offset: Double, _ time: Instant) -> Bool {
        !isInterrupted && last.time > lift && abs(offset - last.offset) < 1
            && time - lastMove >= Self.restTime
    }

    /// Moves the path along with a list whose offset has moved by `shift` px with a change of its
    /// rows, and whose bounds may be others since.
    mutating func shift(by shift: Double = 0, within bounds: ClosedRange<Double>) {
        guard shift != 0 || bounds != self.bounds else { return }
        self.bounds = bounds
        fling = fling.shifted(by: shift, within: bounds)
        origin += shift
        last.offset = min(max(last.offset + shift, bounds.lowerBound), bounds.upperBound)
        for index in points.indices { points[index].offset += shift }
        samples.start += shift
        for index in samples.points.indices { samples.points[index].offset += shift }
    }

    /// Keeps a frame for a learner: of a long fling every second, fourth and so on.
    private mutating func sample(_ offset: Double, at time: Instant) {
        guard !velocities.isEmpty else { return }
        if frames % interval == 0 { samples.points.append((time - lift, offset)) }
        frames += 1
        guard samples.points.count == Self.samplesKept else { return }
        samples.points = stride(from: 0, to: Self.samplesKept, by: 2).map { samples.points[$0] }
        interval *= 2
    }

    /// Processes the list's offset and bounds at a frame; a time that isn't later than the last is
    /// ignored.
    mutating func observe(
        _ seen: Double, within bounds: ClosedRange<Double>, at time: Instant
    ) -> Observation {
        shift(within: bounds)
        guard time > last.time else { return isLost ? .lost : .following }
        sample(seen, at: time)
        let offset = min(max(seen, bounds.lowerBound), bounds.upperBound)
        let step = offset - last.offset
        let span = (time - last.time).inSeconds
        let expected = fling.offset(at: time - start) - fling.offset(at: last.time - start)
        defer {
            last = (time, offset)
            (lastStep, lastSpan, stepBefore) = (step, span, lastStep)
        }
        if abs(step) >= 0.5 { lastMove = time }
        if isInterrupted { return .lost }
        if hasRested(at: time) { return .landed }
        if isLost { return returned(to: offset, at: time, step, expected) ? .following : .lost }

        let usual = lastSpan > 0 ? lastStep * span / lastSpan : expected
        switch change(step: step, expected: expected, usual: usual, at: time) {
        case .following:
            points.append((time - start, offset))
            if points.count > Self.pointsKept { points.removeFirst() }
            fit()
            return .following
        case .accelerated where abs(step) < 40_000 * span:
            restart(from: offset, velocity: step / span, at: time)
            return .accelerated
        default:
            isLost = true
            isInterrupted = step * fling.velocity < 0 || abs(step) > abs(expected) + 24
            return .lost
        }
    }

    /// Returns whether the list has stood still long enough.
    ///
    /// At low speeds a list moves by a pixel now and then: as long as its path predicts that, it
    /// counts as resting only after a longer time.
    private func hasRested(at time: Instant) -> Bool {
        guard time - lastMove >= Self.restTime else { return false }
        if isLost || time - start >= fling.duration || time - lastMove >= Self.longRestTime {
            return true
        }
        return abs(fling.offset(at: time - start) - fling.offset(at: lastMove - start)) >= 2
    }

    /// Returns the state after a step, compared with the path and the step before.
    private func change(
        step: Double, expected: Double, usual: Double, at time: Instant
    ) -> Observation {
        // The first step is from the estimated offset of the list, which may be ahead of it.
        let slip = last.time == lift ? 80 : 0.5
        if step * fling.velocity < 0, abs(step) > slip { return .lost }
        // The first one or two frames after the lift may still show the drag.
        guard time - start > .milliseconds(34) else { return .following }
        // The frame in which the list was caught may have shown a part of a step.
        let fastest = max(abs(expected), abs(lastStep), abs(stepBefore))
        if abs(step) < 0.5, fastest >= 3 { return .lost }
        let least = min(abs(expected), abs(usual))
        if least >= 3, abs(step) < 0.4 * least { return .lost }
        let most = max(abs(expected), abs(usual))
        return abs(step) > 2 * most + 24 ? .accelerated : .following
    }

    /// Returns whether a list that stood still for a frame is at the offset that its path predicts.
    private mutating func returned(
        to offset: Double, at time: Instant, _ step: Double, _ expected: Double
    ) -> Bool {
        let off = abs(offset - fling.offset(at: time - start))
        isLost = !(step * fling.velocity > 0 && off <= max(2, abs(expected) / 2))
        return !isLost
    }

    private mutating func restart(from offset: Double, velocity: Double, at time: Instant) {
        fling = path(from: offset, velocity: velocity)
        start = time
        release = velocity
        origin = offset
        points.removeAll(keepingCapacity: true)
    }

    /// Adjusts the path's velocity and start to fit the last frames.
    ///
    /// One step per frame: two paths, and two evaluations for each of the last points.
    private mutating func fit() {
        guard points.count >= 2 else { return }
        let expected = points.map { fling.offset(at: $0.time) }
        let residuals = zip(points, expected).map { $0.offset - $1 }
        guard residuals.contains(where: { abs($0) > 0.75 }) else { return }
        let nudge = fling.velocity * 0.02
        let nudged = path(from: fling.start, velocity: fling.velocity + nudge)
        let slopes = zip(points, expected).map { (nudged.offset(at: $0.time) - $1) / nudge }
        let fit = PathFit(
            velocity: (fling.velocity, release), start: (fling.start, origin),
            relativeDeviation: relativeDeviation)
        guard let step = fit.step(residuals: residuals, slopes: slopes), step.start.isFinite
        else { return }
        fling = path(from: fling.start + step.start, velocity: fling.velocity + step.velocity)
    }

    private func path(from offset: Double, velocity: Double) -> Fling {
        Fling(
            model.curve(from: offset, velocity: velocity, viewportHeight: limitHeight),
            from: offset, velocity: velocity, within: bounds)
    }
}
