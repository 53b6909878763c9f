/// The counts of a source of small pictures.
public struct ThumbnailStatistics: Equatable, Sendable {
    /// Those that were in the disk cache.
    public var foundOnDisk = 0
    /// Those made in slices on the loop.
    public var madeOnLoop = 0
    /// Those made by workers.
    public var madeOnWorkers = 0
    /// Files that were others than their keys stand for, or gone.
    public var outOfDate = 0
    /// Files that gave no picture.
    public var failed = 0
    /// Loads that weren't begun, as the file is known to give no picture.
    public var refused = 0

    /// Nothing done.
    public init() {}
}
