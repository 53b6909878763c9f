internal import LullLibC
public import IdleLoop

/// The work of loading the rows of a replay.
public protocol RowWork {
    /// Begins to load a row; throws if nothing can be loaded.
    func begin(row: Int) throws -> any RowLoad
    /// Returns the expected cost of loading a row; nil if it is unknown.
    func costHint(ofRow row: Int) -> Duration?
    /// Returns the kind of a row's load; nil if it is unknown.
    func kind(ofRow row: Int) -> WorkKind?
}

extension RowWork {
    /// Returns nil, the default.
    public func costHint(ofRow row: Int) -> Duration? { nil }

    /// Returns nil, the default.
    public func kind(ofRow row: Int) -> WorkKind? { nil }
}

/// The load of a row, in slices.
public protocol RowLoad: AnyObject {
    /// Works until it is done, and returns the result, or until `end`, and returns nil.
    func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)?
}

/// Work that only takes time: charged on virtual time, spent in a busy loop on the machine's clock.
public final class TimedLoad: RowLoad {
    private var left: Duration
    private let outcome: Result<any Sendable, any Error>

    /// Creates work that takes `cost` and then has the result `outcome`.
    public init(cost: Duration, outcome: Result<any Sendable, any Error> = .success(true)) {
        left = cost
        self.outcome = outcome
    }

    /// Spends time until `end`, or until the work is done.
    public func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)? {
        let part = min(left, max(.zero, clock.now.duration(to: end)))
        clock.spend(part)
        left -= part
        return left == .zero ? try outcome.get() : nil
    }
}

/// Work with a random cost for each row, drawn from a seed: 1 to 16 times a base, log-uniform.
public struct DrawnWork: RowWork {
    /// The minimum cost of a row.
    let base: Duration
    /// The seed of the costs.
    let seed: UInt64

    /// Creates work with costs from `base` to 16 times `base`.
    public init(base: Duration, seed: UInt64) {
        self.base = base
        self.seed = seed
    }

    /// Returns the cost of loading the row.
    package func cost(ofRow row: Int) -> Duration {
        let nanoseconds = Double(base.wholeNanoseconds) * pow(2, octaves(ofRow: row))
        return .nanoseconds(Int64((nanoseconds + 0.5).rounded(.down)))
    }

    /// Returns the binary logarithm of a row's cost divided by the base: from 0 to 4.
    private func octaves(ofRow row: Int) -> Double {
        var numbers = SplitMix64(seed: seed)
        numbers = SplitMix64(seed: numbers.next() ^ UInt64(row))
        return 4 * Double(numbers.next() >> 11) / 9_007_199_254_740_992
    }

    /// Returns one of four kinds, of which each costs about twice as much as the one before.
    public func kind(ofRow row: Int) -> WorkKind? { WorkKind(Int(octaves(ofRow: row))) }

    /// Returns the cost of loading the row, which is known beforehand.
    public func costHint(ofRow row: Int) -> Duration? { cost(ofRow: row) }

    /// Begins work of the row's cost.
    public func begin(row: Int) -> any RowLoad {
        TimedLoad(cost: cost(ofRow: row))
    }
}

extension LoopClock {
    /// Spends time as work would: charged on virtual time, in a busy loop on the machine's clock.
    public func spend(_ cost: Duration) {
        switch self {
        case .virtual(let time):
            time.charge(cost)
        case .monotonic:
            let end = now.advanced(by: cost)
            while now < end {}
        }
    }
}
