internal import LullLibC
internal import IdleLoop
internal import ScrollModel

/// One of the paths that a list may take from now on, with its probability.
///
/// The remaining distance falls as a power of the remaining time, x(t) = d·(1 − (1 − t/T)ⁿ). This
/// can be inverted to find the times at which a row comes into view and leaves. Times are in
/// seconds, like ``ValueTuning``.
struct PathScenario {
    /// The probability of the path.
    var weight: Double
    /// The distance in px; positive when the offset grows.
    var distance: Double
    /// The time it takes, in seconds.
    var duration: Double
    /// The exponent of the deceleration.
    var exponent: Double

    /// Calls `body` with the paths that a list may take from now on, the likeliest of each kind
    /// first.
    static func forEach(from moment: ScrollState, _ body: (PathScenario) -> Void) {
        let (motion, velocity) = (moment.motion, moment.motion.velocity)
        guard velocity != 0 else { return body(.rest) }
        func add(_ weight: Double, _ duration: Double, exponent: Double = ValueTuning.exponent) {
            body(
                PathScenario(
                    weight: weight, velocity: velocity, duration: duration, exponent: exponent))
        }
        if motion.isTouched {
            add(1 - ValueTuning.release, ValueTuning.drag, exponent: 2)
            return add(ValueTuning.release, ValueTuning.flight)
        }
        // Not of a jump: while it gains speed, that tells nothing of its duration.
        if let target = motion.flingTarget, (target - moment.viewport.offset) * velocity > 0 {
            let way = target - moment.viewport.offset
            let duration = max(ValueTuning.exponent * way / velocity, 0.06)
            return body(
                PathScenario(
                    weight: 1, distance: way,
                    duration: min(duration, 2 * ValueTuning.longestFlight),
                    exponent: ValueTuning.exponent))
        }
        let isStep = motion.stepped.map { moment.now - $0 < .milliseconds(500) } ?? false
        if isStep, !motion.isFling { return add(1, ValueTuning.step, exponent: 2) }
        let duration = flightTime(at: moment)
        add(1 - ValueTuning.longer.share - ValueTuning.shorter.share, duration)
        add(ValueTuning.longer.share, duration * ValueTuning.longer.factor)
        add(ValueTuning.shorter.share, duration * ValueTuning.shorter.factor)
    }

    /// Returns the remaining duration of a flight, from the deceleration: T = (n − 1)·v / a.
    ///
    /// The first frame after the lift shows no deceleration yet: there the forecast and the usual
    /// duration of flights count equally. At later frames the deceleration tells more than the
    /// forecast.
    private static func flightTime(at moment: ScrollState) -> Double {
        let (motion, now) = (moment.motion, moment.now)
        let since = motion.secondsSinceLift(at: now)
        if let since, since >= 0, since < ValueTuning.unseen,
            let foreseen = moment.forecast?.remaining
        {
            return (max(0.03, foreseen.inSeconds) * ValueTuning.flight).squareRoot()
        }
        if let since, since < ValueTuning.unseen + ScrollMotion.window { return ValueTuning.flight }
        guard let braking = motion.deceleration(at: now) else { return ValueTuning.flight }
        var time = ValueTuning.animation
        if braking > 0 {
            time = (ValueTuning.exponent - 1) * abs(motion.velocity) / braking
            time = max(0.06, min(ValueTuning.longestFlight, time))
        }
        guard let since else { return time }
        let trust = 1 / (1 + since / ValueTuning.evenWeight)
        return exp((1 - trust) * log(time) + trust * log(ValueTuning.flight))
    }

    /// The path of a list that stays where it is.
    static let rest = PathScenario(weight: 1, distance: 0, duration: 0.001, exponent: 2)

    /// A path that begins at `velocity` px per second and ends after `duration` seconds.
    init(weight: Double, velocity: Double, duration: Double, exponent: Double) {
        self.init(
            weight: weight, distance: velocity * duration / exponent, duration: duration,
            exponent: exponent)
    }

    init(weight: Double, distance: Double, duration: Double, exponent: Double) {
        self.weight = weight
        self.distance = distance
        self.duration = duration
        self.exponent = exponent
    }

    var isDown: Bool { distance >= 0 }

    /// Returns the time at which a distance in px has been covered.
    func time(to way: Double) -> Double {
        let all = abs(distance)
        if way <= 0 { return 0 }
        if way >= all { return duration }
        return duration * (1 - pow(1 - way / all, 1 / exponent))
    }

    /// Returns the change of the offset within a time, in px.
    func offset(at time: Double) -> Double {
        time >= duration ? distance : distance * (1 - pow(1 - time / duration, exponent))
    }

    /// Returns the time from which the speed is at most `speed` px per second.
    func time(slowedTo speed: Double) -> Double {
        let first = abs(distance) * exponent / duration
        guard first > speed else { return 0 }
        return duration * (1 - pow(speed / first, 1 / (exponent - 1)))
    }
}

/// A path within a list, with the rows that are in view on it.
struct ListScenario {
    let path: PathScenario
    let offset: Double
    let height: Double
    /// The offset at which the list rests, within its bounds.
    let target: Double
    /// The distance to the resting offset, within the list's bounds, in px.
    let reach: Double
    /// The time at which the list rests, in seconds from now.
    let restTime: Double
    /// The bounds of the rows in view now, on the way or at the end.
    let rows: Range<Int>
    /// The rows in view at the end.
    let landing: RowSet

    init(_ path: PathScenario, in viewport: Viewport, visible: RowSet) {
        self.path = path
        offset = viewport.offset
        height = viewport.height
        target = viewport.clamped(viewport.offset + path.distance)
        reach = abs(target - viewport.offset)
        restTime = abs(path.distance) > 1e-9 ? path.time(to: reach) : 0
        landing = viewport.visibleRows(at: target)
        rows =
            min(
                visible.lowerBound, landing.lowerBound)..<max(
                visible.upperBound, landing.upperBound)
    }

    /// Returns the rows to consider: those on the way, and a few lines beyond its end.
    ///
    /// Of very many rows on the way, most are on no frame. Then the rows in view are considered, and
    /// up to ``LoadPlan/mostRows`` others: those on one of the next few frames, and those that are
    /// passed slower than a viewport per frame, the nearest to the landing first.
    func sample(on frames: FrameGrid, in viewport: Viewport, visible: RowSet) -> RowSet {
        guard path.distance != 0 else { return visible }
        guard rows.count > LoadPlan.mostRows else { return end(of: reach, in: viewport) }
        var rows = Set(visible)
        let most = rows.count + LoadPlan.mostRows
        for number in 0..<4 {
            let place = offset + path.offset(at: frames.time(of: Double(number)))
            for row in viewport.visibleRows(at: place) where rows.count < most { rows.insert(row) }
        }
        let slow = path.time(slowedTo: height / frames.interval)
        let way = abs(target - viewport.clamped(offset + path.offset(at: slow)))
        var part = min(way, max(height, 100))
        var last = end(of: part, in: viewport)
        while last.count < LoadPlan.mostRows, part < way {
            part = min(way, 2 * part)
            last = end(of: part, in: viewport)
        }
        for step in last.indices {
            guard rows.count < most else { break }
            rows.insert(last[path.isDown ? last.count - 1 - step : step])
        }
        return RowSet(rows.sorted().lazy.map { $0..<$0 + 1 })
    }

    /// Returns the rows on the last part of the way, of a length in px, and a few lines beyond.
    private func end(of way: Double, in viewport: Viewport) -> RowSet {
        let rows = viewport.list.visibleRows(
            offset: path.isDown ? target - way : target, height: height + way)
        let margin = ValueTuning.margin
        return viewport.list.rows(
            rows, before: path.isDown ? 0 : margin, after: path.isDown ? margin : 0)
    }

    /// Returns the times at which a row on the way comes into view and leaves it.
    ///
    /// The exit is infinite if the row is in view at the end. Nil if it has left already.
    func passage(from top: Double, to end: Double) -> (entry: Double, exit: Double)? {
        let entry = path.isDown ? top - height - offset : offset - end
        let exit = path.isDown ? end - offset : offset + height - top
        guard exit > 0 else { return nil }
        return (
            entry <= 0 ? 0 : path.time(to: min(entry, reach)),
            exit < reach ? path.time(to: exit) : .infinity
        )
    }
}
