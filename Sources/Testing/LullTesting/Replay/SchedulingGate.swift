internal import DeferredLoading

/// A gate that decides whether the next job or slice may begin, for strategies of other systems
/// that an idle queue's configuration can't express.
///
/// The replay asks it before idle, when there is nothing else to do, and suspends its queue if the
/// answer is no. It asks again after a frame, an input, or at the time that the gate returned.
struct SchedulingGate {
    private let engine: Scheduling
    /// The estimated cost of a load, from finished ones.
    private var usual: UsualCost?
    /// The end of the last frame, and the time at which the next is due, if there is one.
    private var gap: (start: Int64, due: Int64?) = (0, nil)
    private var hasRunInGap = false
    private var isTouched = false
    /// The tenth of a second in which a job was last started.
    private var lastTenth: Int64 = -1

    init(_ engine: Scheduling) {
        self.engine = engine
    }

    /// Records that a frame has ended, or playback has begun, at `now`, and that the next frame is
    /// due at `due`.
    mutating func expectFrame(at due: Int64?, from now: Int64) {
        gap = (now, due)
        hasRunInGap = false
    }

    /// Records an input.
    mutating func note(_ input: Trace.Input) {
        switch input {
        case .down: isTouched = true
        case .up, .cancel: isTouched = false
        case .move, .wheel, .key: break
        }
    }

    /// Records the start of a job or slice.
    mutating func noteStart(at now: Int64) {
        hasRunInGap = true
        lastTenth = now / Self.tenth
    }

    /// Records the cost of a finished load.
    mutating func noteFinish(cost: Duration) {
        usual.add(cost)
    }

    /// Returns the time until which no work may begin unless something happens before, `.max` for
    /// no limit; nil if work may begin now.
    ///
    /// `left` is the remaining cost of the next job, if it is known.
    func shutUntil(at now: Int64, left: @autoclosure () -> Duration?) -> Int64? {
        switch engine {
        case .whole, .sliced, .inFrame, .lull: return nil
        case .fitting:
            let expected = usual.map { ($0.mean + $0.deviation).nanoseconds } ?? 0
            return fits(expected, at: now) || isTooLong(expected) ? nil : .max
        case .slicedFitting:
            let slice = Duration.milliseconds(2)
            let next = min(slice, left() ?? slice).nanoseconds
            return fits(next, at: now) ? nil : .max
        case .paced:
            if isTouched { return .max }
            let now = now / Self.tenth
            return now > lastTenth ? nil : (now + 1) * Self.tenth
        }
    }

    private static let tenth: Int64 = 100_000_000

    private func fits(_ cost: Int64, at now: Int64) -> Bool {
        gap.due.map { now + cost <= $0 } ?? true
    }

    /// Returns whether a job is too long to fit between two frames; it is then started right after
    /// one.
    private func isTooLong(_ cost: Int64) -> Bool {
        guard let due = gap.due, !hasRunInGap else { return false }
        return cost > due - gap.start
    }
}
