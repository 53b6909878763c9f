internal import DeferredLoading
internal import Glibc
public import IdleLoop

/// The work of loading the rows of a replay.
public protocol RowWork {
    /// Begins to load a row; throws if nothing can be loaded.
    func begin(row: Int) throws -> any RowLoad
    /// Returns the expected cost of loading a row; nil if nobody knows.
    func costHint(ofRow row: Int) -> Duration?
}

extension RowWork {
    /// Nobody knows, unless the work says otherwise.
    public func costHint(ofRow row: Int) -> Duration? { nil }
}

/// A row being loaded, a piece at a time.
public protocol RowLoad: AnyObject {
    /// Works until it's done, and then gives what was loaded, or until `end`, and then gives nil.
    func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)?
    /// Returns what can be shown until it's done, once; it's asked for after each piece.
    func takePreview() -> (any Sendable)?
}

extension RowLoad {
    /// Nothing, unless the load says otherwise.
    public func takePreview() -> (any Sendable)? { nil }
}

/// Work of a known cost and nothing else: time is charged, or spun away on the machine's clock.
public final class TimedLoad: RowLoad {
    private var left: Duration
    private let outcome: Result<any Sendable, any Error>

    /// Work that takes `cost` and then comes to `outcome`.
    public init(cost: Duration, outcome: Result<any Sendable, any Error> = .success(true)) {
        left = cost
        self.outcome = outcome
    }

    /// Lets time pass.
    public func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)? {
        let part = min(left, max(.zero, clock.now.duration(to: end)))
        clock.spend(part)
        left -= part
        return left == .zero ? try outcome.get() : nil
    }
}

/// Work whose cost is drawn for each row from a seed: 1 to 16 times a base, log-uniform.
public struct DrawnWork: RowWork {
    /// The least that a row costs.
    public let base: Duration
    /// The seed of the costs.
    public let seed: UInt64

    /// Costs from `base` to 16 times `base`.
    public init(base: Duration, seed: UInt64) {
        self.base = base
        self.seed = seed
    }

    /// Returns the cost of loading the row, in nanoseconds.
    public func cost(ofRow row: Int) -> Int64 {
        var numbers = SeededNumbers(seed: seed)
        numbers = SeededNumbers(seed: numbers.next() ^ UInt64(row))
        let u = Double(numbers.next() >> 11) / 9_007_199_254_740_992
        return Int64((Double(base.nanoseconds) * pow(2, 4 * u) + 0.5).rounded(.down))
    }

    /// The same, known beforehand.
    public func costHint(ofRow row: Int) -> Duration? { .nanoseconds(cost(ofRow: row)) }

    /// Work of the row's cost.
    public func begin(row: Int) -> any RowLoad {
        TimedLoad(cost: .nanoseconds(cost(ofRow: row)))
    }
}

extension LoopClock {
    /// Lets time pass as work would: charged on virtual time, spun away on the machine's clock.
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
