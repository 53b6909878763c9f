public import GalleryFiles
public import ImageLoading

/// A picture in the catalogue.
public struct CatalogueEntry: Hashable, Sendable {
    /// Which picture, as which file.
    public let key: PictureKey
    /// Where the file is.
    public let path: FilePath
    /// How many bytes the file has.
    public let byteCount: Int
    /// How large the picture is when it's upright; nil until its header was read, and if that gave
    /// nothing.
    public internal(set) var pixels: PixelSize?

    /// The file's own name, as text for people.
    public var name: String { path.name }
}
