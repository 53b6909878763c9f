internal import LullLibC

/// The price of work: the seconds in view that a second of work must gain to be done.
///
/// A load is worth doing or not by what else there is to do. While lulls go unused, work costs
/// nobody anything, and every row is loaded that can come in time; while many lists wait, a row that
/// flies by is left out for one that somebody looks at. A ``DeferredLoader`` measures the price; the
/// rule `value` loads what gains more than its work costs at that price, or at four tenths of the
/// neutral one at least, where usual loads take longer than a frame.
///
/// ```swift
/// var limits = LoaderConfiguration()
/// limits.prices = .neutral ... .highest   // on battery: idle time isn't free
/// limits.prices = .neutral ... .neutral   // whatever the load
/// ```
public struct WorkPrice: Hashable, Sendable {
    /// The seconds in view that a second of work must gain.
    public let secondsInView: Double

    /// Creates a price.
    ///
    /// - Precondition: `secondsInView` is finite and not negative.
    ///
    /// Traps if the price is negative or not finite.
    public init(secondsInView: Double) {
        precondition(
            secondsInView.isFinite && secondsInView >= 0, "a price is finite and not negative")
        self.secondsInView = secondsInView
    }

    /// The price of work that nothing else waits for: whatever gains anything is done.
    public static let free = WorkPrice(secondsInView: 0)
    /// The price at which a single list that keeps its loop busy wastes little and misses little.
    public static let neutral = WorkPrice(secondsInView: 2.7)
    /// The highest price that is measured, forty times the neutral one: only rows that stay in view
    /// are loaded.
    public static let highest = WorkPrice(secondsInView: 108)

    /// The price as a multiple of the neutral one.
    var level: Double { secondsInView / Self.neutral.secondsInView }
}

extension WorkPrice: Comparable {
    /// Returns whether one price is lower than another.
    public static func < (lhs: WorkPrice, rhs: WorkPrice) -> Bool {
        lhs.secondsInView < rhs.secondsInView
    }
}
