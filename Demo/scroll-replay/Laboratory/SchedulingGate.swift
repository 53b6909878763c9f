internal import IdleLoop
internal import LullTesting

/// The gate of strategies of other systems that an idle queue's configuration can't express.
struct SchedulingGate: ReplayGate {
    private enum Kind {
        case fitting, slicedFitting, paced
    }

    private let kind: Kind
    /// The mean cost of a load, from finished ones, and the mean deviation from it, each three
    /// parts old and one part new.
    private var usual: (mean: Duration, deviation: Duration)?
    /// The end of the last frame, and the time at which the next is due, if there is one.
    private var gap: (start: Instant, due: Instant?) = (.zero, nil)
    private var hasRunInGap = false
    private var isTouched = false
    /// The tenth of a second in which a job was last started.
    private var lastTenth: Int64 = -1

    /// Creates the gate of a strategy; nil if it needs none.
    init?(_ scheduling: Scheduling) {
        switch scheduling {
        case .fitting: kind = .fitting
        case .slicedFitting: kind = .slicedFitting
        case .paced: kind = .paced
        case .whole, .sliced, .inFrame, .lull: return nil
        }
    }

    mutating func note(_ event: ReplayGateEvent, at time: Instant) {
        switch event {
        case .frameEnded(let next):
            gap = (time, next)
            hasRunInGap = false
        case .input(.down): isTouched = true
        case .input(.up), .input(.cancel): isTouched = false
        case .input: break
        case .sliceBegan:
            hasRunInGap = true
            lastTenth = time.nanoseconds / Self.tenth
        case .finished(let cost): add(cost)
        }
    }

    func closedUntil(at now: Instant, cost: () -> Duration?) -> Instant? {
        switch kind {
        case .fitting:
            let expected = usual.map { $0.mean + $0.deviation } ?? .zero
            return fits(expected, at: now) || isTooLong(expected) ? nil : .distantFuture
        case .slicedFitting:
            let slice = Duration.milliseconds(2)
            return fits(min(slice, cost() ?? slice), at: now) ? nil : .distantFuture
        case .paced:
            if isTouched { return .distantFuture }
            let tenth = now.nanoseconds / Self.tenth
            return tenth > lastTenth ? nil : Instant(nanoseconds: (tenth + 1) * Self.tenth)
        }
    }

    private static let tenth: Int64 = 100_000_000

    private mutating func add(_ cost: Duration) {
        guard let (mean, deviation) = usual else {
            usual = (cost, cost / 2)
            return
        }
        let off = cost < mean ? mean - cost : cost - mean
        usual = (mean * 3 / 4 + cost / 4, deviation * 3 / 4 + off / 4)
    }

    private func fits(_ cost: Duration, at now: Instant) -> Bool {
        gap.due.map { now + cost <= $0 } ?? true
    }

    /// Returns whether a job is too long to fit between two frames; it is then started right after
    /// one.
    private func isTooLong(_ cost: Duration) -> Bool {
        guard let due = gap.due, !hasRunInGap else { return false }
        return cost > due - gap.start
    }
}
