/// The counts of a loader's transfers by their outcomes.
///
/// begun = done + failed + cancelled + running + waiting.
public struct HTTPLoaderStatistics: Equatable, Sendable {
    /// The number of transfers that were requested.
    public internal(set) var begun = 0
    /// The number of transfers that succeeded.
    public internal(set) var done = 0
    /// The number of transfers that failed.
    public internal(set) var failed = 0
    /// The number of transfers that were cancelled.
    public internal(set) var cancelled = 0
    /// The number of successful transfers that used a fresh response of the cache, without a
    /// connection.
    public internal(set) var cacheHits = 0
    /// The number of stored responses that a server has revalidated.
    public internal(set) var confirmed = 0
    /// The number of bytes of the successful transfers, decompressed.
    public internal(set) var bytes = 0
}
