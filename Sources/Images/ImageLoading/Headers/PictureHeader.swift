/// The properties of a picture that the start of its file states, without decoding it.
///
/// ```swift
/// let header = try PictureHeader.read(.file("photos/a.jpg"))
/// if header.estimatedMemory < 1 << 20 { … }
/// ```
public struct PictureHeader: Hashable, Sendable {
    /// The format of the file.
    public let format: PictureFormat
    /// The size of the picture as stored.
    public let size: PixelSize
    /// The length of the file.
    public let fileBytes: Int
    /// The number of values stored for each pixel: 1 for grey or a palette index, up to 4.
    public let channels: Int
    /// The number of bytes of each such value: 2 above 8 bits, else 1.
    public let bytesPerSample: Int
    /// The orientation of the stored picture.
    public internal(set) var orientation: PictureOrientation
    /// The small copy of the picture that is embedded in the file, if there is one.
    public internal(set) var embeddedThumbnail: EmbeddedThumbnail?
    /// The colour space of its pixels.
    public internal(set) var colors: ColorProfile
    /// The time at which the picture was taken by the camera's clock, without a time zone: the
    /// number of seconds from the start of 1970 there; nil if the file doesn't state it.
    public internal(set) var dateTaken: Int?

    /// Creates a header of the given properties.
    public init(
        format: PictureFormat, size: PixelSize, fileBytes: Int, channels: Int, bytesPerSample: Int,
        orientation: PictureOrientation = .upright, embeddedThumbnail: EmbeddedThumbnail? = nil,
        colors: ColorProfile = .sRGB, dateTaken: Int? = nil
    ) {
        self.format = format
        self.size = size
        self.fileBytes = fileBytes
        self.channels = channels
        self.bytesPerSample = bytesPerSample
        self.orientation = orientation
        self.embeddedThumbnail = embeddedThumbnail
        self.colors = colors
        self.dateTaken = dateTaken
    }

    /// The size of the picture once it is upright.
    public var orientedSize: PixelSize { orientation.stored(size) }

    /// Returns whether the embedded thumbnail can be used in place of the picture in a target size.
    ///
    /// It must have at least as many pixels as the picture scaled to the target size, and the same
    /// shape. Whether it can be decoded isn't checked.
    public func isServedByThumbnail(fitting targetSize: PixelSize) -> Bool {
        guard let embeddedThumbnail, embeddedThumbnail.isPlausible(for: size) else { return false }
        let target = size.fitted(in: orientation.stored(targetSize))
        return target.width <= embeddedThumbnail.size.width
            && target.height <= embeddedThumbnail.size.height
    }
}
