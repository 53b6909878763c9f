import LullTesting
import ScrollModel

/// The ways in which the loads of a replay run on its loop.
enum Slicing: CaseIterable {
    case whole, sliced, lull, inFrame
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
        }
    }
}
