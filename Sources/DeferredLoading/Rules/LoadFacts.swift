public import IdleLoop

/// The facts that a policy may know of the loads of a list's rows.
///
/// A ``DeferredLoader`` gives it, see ``DeferredLoader/facts(key:)``.
public protocol LoadFacts {
    /// Returns the progress of a row's load.
    func progress(ofRow row: Int) -> LoadProgress
    /// Returns the estimate of a row's load on the loop, from its file's size or its pixels; nil if
    /// nobody says.
    func costHint(ofRow row: Int) -> Duration?
    /// Returns the estimate of a row's fetch; nil if nothing is fetched for it, or nobody says.
    func fetchHint(ofRow row: Int) -> Duration?
    /// Calls `body` for each of some rows, in their order, with the progress of its load, and the
    /// estimate of it if it isn't settled: at a part of the cost of asking for each.
    func forEachLoad(
        ofRows rows: [Int], _ body: (_ progress: LoadProgress, _ costHint: Duration?) -> Void)
    /// The recent cost of loads on the loop; nil before the first has finished.
    var usualCost: Duration? { get }
    /// The recent time of fetches; nil if none has finished.
    var usualFetch: Duration? { get }
    /// The number of fetches that run at once; 0 if nothing is fetched.
    var fetches: Int { get }
}

extension LoadFacts {
    /// Nobody says.
    public func fetchHint(ofRow row: Int) -> Duration? { nil }

    /// Asks for each.
    public func forEachLoad(ofRows rows: [Int], _ body: (LoadProgress, Duration?) -> Void) {
        for row in rows {
            let progress = progress(ofRow: row)
            body(progress, progress == .settled ? nil : costHint(ofRow: row))
        }
    }
}

/// The progress of a load.
public enum LoadProgress: Equatable, Sendable {
    /// Nothing was done yet.
    case none
    /// It is being fetched off the loop, since then.
    case fetching(since: Instant)
    /// It is fetched, and nothing of it was done on the loop.
    case fetched
    /// So much was spent on it on the loop.
    case begun(spent: Duration)
    /// It is there, or has failed for now.
    case settled
}

/// The recent cost of something: the mean, and the mean deviation from it.
///
/// Each is three parts old and one part new, as TCP's round-trip times are (RFC 6298 has ⅞ and ¾).
package struct UsualCost: Equatable, Sendable {
    /// The mean.
    package private(set) var mean: Duration
    /// The mean deviation; half of the first cost when there was only one.
    package private(set) var deviation: Duration

    /// Estimates from one cost.
    package init(_ first: Duration) {
        mean = first
        deviation = first / 2
    }

    /// Takes in one more.
    package mutating func add(_ cost: Duration) {
        let off = cost < mean ? mean - cost : cost - mean
        deviation = deviation * 3 / 4 + off / 4
        mean = mean * 3 / 4 + cost / 4
    }
}

extension UsualCost? {
    /// Takes in one more, or the first.
    package mutating func add(_ cost: Duration) {
        if self?.add(cost) == nil { self = UsualCost(cost) }
    }
}

/// Nothing is known: no row was begun, and none has a hint.
package struct NoLoadFacts: LoadFacts {
    /// Nothing.
    package init() {}

    /// Nothing was done.
    package func progress(ofRow row: Int) -> LoadProgress { .none }
    /// Nobody says.
    package func costHint(ofRow row: Int) -> Duration? { nil }
    /// Unknown.
    package var usualCost: Duration? { nil }
    /// Unknown.
    package var usualFetch: Duration? { nil }
    /// None.
    package var fetches: Int { 0 }
}
