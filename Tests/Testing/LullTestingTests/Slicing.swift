import LullTesting
import ScrollModel

/// The ways in which the loads of a replay run on its loop.
enum Slicing: CaseIterable {
    case whole, sliced, lull, inFrame, gated
}

extension ReplayOptions {
    /// The options for loads of these costs that run so.
    init(_ setting: Setting = .standard, _ slicing: Slicing = .lull) {
        self.init()
        cost = setting.cost
        latency = setting.latency
        switch slicing {
        case .whole: (slice, endsSlicesWhenDue) = (nil, false)
        case .sliced: endsSlicesWhenDue = false
        case .lull: break
        case .inFrame: loadsInFrame = true
        case .gated: gate = OneATenth()
        }
    }
}

/// A gate that lets one slice begin in each tenth of a second.
struct OneATenth: ReplayGate {
    private static let tenth: Int64 = 100_000_000
    private var last: Int64 = -1

    mutating func note(_ event: ReplayGateEvent, at time: Instant) {
        if case .sliceBegan = event { last = time.nanoseconds / Self.tenth }
    }

    func closedUntil(at now: Instant, cost: () -> Duration?) -> Instant? {
        let next = now.nanoseconds / Self.tenth
        return next > last ? nil : Instant(nanoseconds: (next + 1) * Self.tenth)
    }
}
