public import GalleryFiles
public import ImageLoading

/// A picture in the catalogue.
public struct CatalogueEntry: Hashable, Sendable {
    /// Which picture, as which file.
    public let key: PictureKey
    /// The file's path.
    public let path: FilePath
    /// The file's length in bytes; 0 for a picture on a server.
    public let byteCount: Int
    /// The size of the upright picture; nil until its header was read, and if that gave
    /// nothing.
    public internal(set) var pixels: PixelSize?
}
