internal import LullLibC

/// The limits of what a loader keeps, retries, and finishes although it is no longer wanted.
public struct LoaderConfiguration: Sendable {
    /// The maximum number of values and failures kept; subscribed keys stay, even if they are more.
    ///
    /// Unwanted values are evicted first, the least recently used before others; then wanted
    /// values, the least urgent first. A wanted value is reloaded when there is room for it: a list
    /// that wants more than there is room for has the most urgent part of it, and causes no further
    /// work.
    public var capacity = 512
    /// The maximum number of bytes kept, by the sizes that the source reports; nil for no limit.
    ///
    /// Fetched data that is not loaded yet, and previews count too. Loads in progress
    /// take half of it at most: what exceeds that out of view waits until more urgent loads are done,
    /// or, if it needs more for itself, until it's in view. A row in view is always loaded, also if it
    /// needs more than the limit.
    public var byteLimit: Int?
    /// Whether a fetch under way goes on when it is no longer wanted.
    ///
    /// It does as long as nothing else needs its place, and what is fetched is kept: as many fetches as
    /// run at once, or eight.
    package var finishesFetches = true
    /// The number of bytes by which a load may grow before its loader decides about its memory.
    package static let muchMemory = 1 << 20
    /// The delays of retries, if the source leaves them open.
    package var backoff = Backoff()
    /// The time limit of a fetch; nil for none.
    public var fetchTimeout: Duration?
    /// The maximum number of asynchronous fetches at once; fetches by workers are limited by their
    /// pool.
    public var operations = 6
    /// The least and the greatest price of work; with equal limits it has one price, whatever the
    /// load.
    ///
    /// A floor saves a battery or a metered network, where idle time isn't free.
    public var prices: ClosedRange<WorkPrice> = .free ... .highest

    /// The defaults.
    public init() {}

    /// Traps if a limit makes no sense.
    func check() {
        precondition(capacity > 0, "a loader keeps at least one value")
        precondition(byteLimit.map { $0 > 0 } ?? true, "a loader keeps some bytes")
        precondition(operations > 0, "a loader has a place for an operation")
        precondition(fetchTimeout.map { $0 > .zero } ?? true, "a fetch may take some time")
        precondition(backoff.first >= .zero, "waits aren't negative")
    }
}
