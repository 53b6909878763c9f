/// The counts of a source of pictures.
public struct PictureStatistics: Equatable, Sendable {
    /// Pictures that were decoded on the loop.
    public var decodedOnLoop = 0
    /// Pictures that workers decoded.
    public var decodedOnWorkers = 0
    /// Pictures that other processes decoded.
    public var decodedByHelpers = 0
    /// Pictures that were on disk already.
    public var foundInStore = 0
    /// Loads that failed at once, as the file is known to give no picture.
    public var refused = 0
    /// Loads that failed.
    public var failed = 0
    /// Files that aren't the ones that their keys stand for, or gone.
    public var outdated = 0

    /// Nothing done.
    public init() {}
}
