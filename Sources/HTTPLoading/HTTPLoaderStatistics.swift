/// The counts of a loader's transfers by their ends.
///
/// begun = done + failed + cancelled + those that run or wait.
public struct HTTPLoaderStatistics: Equatable, Sendable {
    /// Those that were asked for.
    public internal(set) var begun = 0
    /// Those that brought their bytes.
    public internal(set) var done = 0
    /// Those that came to nothing.
    public internal(set) var failed = 0
    /// Those that were cancelled.
    public internal(set) var cancelled = 0
    /// Those of the done for which the cache had a fresh response, and no server was asked.
    public internal(set) var reused = 0
    /// Those for which a server said that the stored response is still right.
    public internal(set) var confirmed = 0
    /// The bytes that have come, of those that are done.
    public internal(set) var bytes = 0
}
