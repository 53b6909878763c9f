/// The counts of a source of pictures.
public struct PictureStatistics: Equatable, Sendable {
    /// The number of pictures that were decoded in slices, on the loop or on lanes.
    public var decodedInSlices = 0
    /// The number of pictures that workers decoded.
    public var decodedOnWorkers = 0
    /// The number of pictures that other processes decoded.
    public var decodedByHelpers = 0
    /// The number of pictures that were shown although their files are damaged.
    public var damaged = 0
    /// The number of pictures that were already on disk.
    public var foundInStore = 0
    /// The number of loads that failed immediately, as the file is known to give no picture.
    public var refused = 0
    /// The number of loads that failed.
    public var failed = 0
    /// The number of files that are gone, or not the ones that their keys stand for.
    public var outdated = 0
}
