public import GalleryFiles
public import ImageLoading

/// A picture in the catalogue.
public struct CatalogueEntry: Hashable, Sendable {
    /// The picture's number and stamp.
    public let key: PictureKey
    /// The file's path.
    public let path: FilePath
    /// The file's length in bytes.
    public let byteCount: Int
    /// The time at which the file was written last, in seconds since the start of 1970.
    public let modified: Int
    /// The size of the upright picture; nil until its header has been read, and if that failed.
    public internal(set) var pixels: PixelSize?
    /// The time at which it was taken, by the camera's clock: the number of seconds from the start
    /// of 1970 there; nil until its header has been read, and if that doesn't state it.
    public internal(set) var taken: Int?

    /// The time at which it was taken, or else at which its file was written.
    public var date: Int { taken ?? modified }
    /// The aspect ratio, in whole steps; nil if the size isn't known.
    var ratio: Double? { pixels.map(ArrangedRows.ratio) }
}
