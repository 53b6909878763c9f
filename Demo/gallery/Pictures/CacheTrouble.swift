public import ImageLoading

/// Why thumbnails can't be kept on disk.
public struct CacheTrouble: Equatable, Sendable {
    /// The folder where they should be.
    public let folder: String
    /// The error of the last attempt.
    public let error: ThumbnailError
}
