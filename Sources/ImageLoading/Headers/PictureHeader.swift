/// The facts that the first bytes of a picture file tell, without decoding it.
///
/// ```swift
/// let header = try PictureHeader.read("photos/a.jpg")
/// if header.estimatedMemory < 1 << 20 { … }
/// ```
public struct PictureHeader: Hashable, Sendable {
    /// The kind of file.
    public let format: PictureFormat
    /// The size of the picture as stored.
    public let size: PixelSize
    /// The length of the file.
    public let fileBytes: Int
    /// The values stored for each pixel: 1 for grey or for an index into a palette, up to 4.
    public let channels: Int
    /// The bytes of each such value: 2 above 8 bits, else 1.
    public let bytesPerSample: Int
    /// How the picture has to be turned to be upright.
    public let orientation: PictureOrientation
    /// The small copy of the picture that the file holds beside it, if there is one.
    public let embeddedThumbnail: EmbeddedThumbnail?
    /// The colour space of its pixels.
    public internal(set) var colors: ColorProfile

    /// What is known of a picture.
    public init(
        format: PictureFormat, size: PixelSize, fileBytes: Int, channels: Int, bytesPerSample: Int,
        orientation: PictureOrientation = .upright, embeddedThumbnail: EmbeddedThumbnail? = nil,
        colors: ColorProfile = .sRGB
    ) {
        self.format = format
        self.size = size
        self.fileBytes = fileBytes
        self.channels = channels
        self.bytesPerSample = bytesPerSample
        self.orientation = orientation
        self.embeddedThumbnail = embeddedThumbnail
        self.colors = colors
    }

    /// The size of the picture once it is upright.
    public var orientedSize: PixelSize { orientation.stored(size) }

    /// Whether the thumbnail in the file can stand for its picture in a box.
    ///
    /// It must have as many pixels as the picture would get there, and the picture's shape. Whether
    /// it can be decoded, only decoding shows.
    public func isServedByThumbnail(fitting box: PixelSize) -> Bool {
        guard let embeddedThumbnail, embeddedThumbnail.isPlausible(for: size) else { return false }
        let target = size.fitted(in: orientation.stored(box))
        return target.width <= embeddedThumbnail.size.width
            && target.height <= embeddedThumbnail.size.height
    }

    /// Reads the header of a file: a few small reads, however large the file is.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limits: What the file may be at most.
    ///   - decoders: The kinds of pictures that are read.
    /// - Returns: What the file says of its picture.
    /// - Throws: Why the file cannot be decoded, as far as its header shows.
    public static func read(
        _ path: String, limits: PictureLimits = PictureLimits(),
        decoders: PictureDecoders = .standard
    ) throws(PictureError) -> PictureHeader {
        try read(.file(path), named: path, limits: limits, decoders: decoders)
    }

    /// Reads the header of a file that is open for reading, or whose bytes are in memory.
    ///
    /// - Parameters:
    ///   - input: The file. The position of one that is open is neither used nor moved.
    ///   - name: The name that errors have.
    ///   - limits: What the file may be at most.
    ///   - decoders: The kinds of pictures that are read.
    /// - Returns: What the file says of its picture.
    /// - Throws: Why the file cannot be decoded, as far as its header shows; `changedWhileRead`.
    public static func read(
        _ input: PictureHelperInput, named name: String, limits: PictureLimits = PictureLimits(),
        decoders: PictureDecoders = .standard
    ) throws(PictureError) -> PictureHeader {
        var file: PictureFile?
        do throws(PictureError.Reason) {
            let opened = try input.input.open(limits)
            file = opened
            let header = try OpenedPicture(opened, limits: limits, decoders).header
            guard !opened.hasChanged else { throw .changedWhileRead }
            return header
        } catch {
            throw PictureError(file: name, reason: file?.told(error) ?? error)
        }
    }
}
