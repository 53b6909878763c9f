internal import DeferredLoading

/// Says whether an engine lets the next job, or slice of one, begin: for those engines of other
/// systems that no setting of an idle queue gives.
///
/// The replay asks it before idle, when nothing else is to be done, and has its queue rest if the
/// answer is no; a frame, an input or the moment that it names has it asked again.
struct EngineGate {
    private let engine: Engine
    /// The cost of finished loads.
    private var usual: UsualCost?
    /// The end of the last frame, and when the next is due, if there's one.
    private var gap: (start: Int64, due: Int64?) = (0, nil)
    private var hasRunInGap = false
    private var isTouched = false
    /// The tenth of a second in which a job was begun last.
    private var lastTenth: Int64 = -1

    init(_ engine: Engine) {
        self.engine = engine
    }

    /// Notes that the first frame will be due then, or that one has ended and the next will be.
    mutating func expectFrame(at due: Int64?, from now: Int64) {
        gap = (now, due)
        hasRunInGap = false
    }

    /// Notes what the finger does.
    mutating func note(_ input: Trace.Input) {
        switch input {
        case .down: isTouched = true
        case .up, .cancel: isTouched = false
        case .move, .wheel, .key: break
        }
    }

    /// Notes that a job, or a slice of one, begins.
    mutating func noteStart(at now: Int64) {
        hasRunInGap = true
        lastTenth = now / Self.tenth
    }

    /// Notes what a finished load has cost.
    mutating func noteFinish(cost: Duration) {
        usual.add(cost)
    }

    /// Returns the moment until which no work may begin unless something happens before, `.max` for
    /// none; nil if it may begin now.
    ///
    /// `left` is what the next job still takes, as far as it's known.
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

    /// A job that fits between no two frames is begun first thing after one.
    private func isTooLong(_ cost: Int64) -> Bool {
        guard let due = gap.due, !hasRunInGap else { return false }
        return cost > due - gap.start
    }
}
