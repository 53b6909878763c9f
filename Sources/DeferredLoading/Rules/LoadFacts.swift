public import IdleLoop

/// What a policy may know of the loads of a list's rows.
///
/// A ``DeferredLoader`` gives it, see ``DeferredLoader/facts(key:)``.
public protocol LoadFacts {
    /// How far a row's load has come.
    func progress(ofRow row: Int) -> LoadProgress
    /// What a row's load is said to cost on the loop, from its file's size or its pixels, say; nil if
    /// nobody says.
    func costHint(ofRow row: Int) -> Duration?
    /// What a row's fetch is said to take; nil if nothing is fetched for it, or nobody says.
    func fetchHint(ofRow row: Int) -> Duration?
    /// What loads have cost on the loop of late; nil before the first has finished.
    var usualCost: Duration? { get }
    /// How long fetches have taken of late; nil if none has finished.
    var usualFetch: Duration? { get }
    /// How many fetches run at once; 0 if nothing is fetched.
    var fetches: Int { get }
}

extension LoadFacts {
    /// Nobody says.
    public func fetchHint(ofRow row: Int) -> Duration? { nil }
}

/// How far a load has come.
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

/// What something has cost of late: the mean, and the mean deviation from it.
///
/// Each is three parts old and one part new, as TCP's round-trip times are (RFC 6298 has ⅞ and ¾).
package struct UsualCost: Equatable, Sendable {
    /// The mean.
    package private(set) var mean: Duration
    /// The mean deviation; half of the first cost when there was only one.
    package private(set) var deviation: Duration

    /// What one that cost `first` tells.
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
