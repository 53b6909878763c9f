/// What a source of pictures has done, counted.
public struct PictureStatistics: Equatable, Sendable {
    /// Headers read.
    public internal(set) var headersRead = 0
    /// Pictures that were decoded on the loop, from their own files.
    public internal(set) var decodedOnLoop = 0
    /// Pictures that workers decoded.
    public internal(set) var decodedOnWorkers = 0
    /// Pictures that were found in memory.
    public internal(set) var foundInMemory = 0
    /// Pictures that were decoded from what was stored of them.
    public internal(set) var foundInStore = 0
    /// Loads that failed at once, as the file is known to give no picture.
    public internal(set) var refused = 0
    /// Loads that failed.
    public internal(set) var failed = 0
}
