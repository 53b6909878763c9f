/// A decoder of one picture format, which gives rows from top to bottom.
///
/// ``PictureJob`` creates one for each picture, from its ``PictureDecoders``. It requests rows
/// until the picture is complete, and releases the decoder after an error.
///
/// ```swift
/// /// Pictures of one colour: the letters SWAT, then red, green and blue.
/// final class SwatchDecoder: PictureDecoder {
///     static let signatures: [[UInt8?]] = [[0x53, 0x57, 0x41, 0x54]]
///     static let format = PictureFormat("swatch", "image/x-swatch", cost: .pixels(1), memory: .rows(1))
///     static let size = PixelSize(width: 64, height: 64)
///     let row: [UInt8]
///
///     static func header(of file: PictureFile) -> PictureHeader {
///         PictureHeader(
///             format: format, size: size, fileBytes: file.byteCount, channels: 3, bytesPerSample: 1)
///     }
///
///     init(_ picture: EncodedPicture) throws(PictureError.Reason) {
///         let color = try picture.file.bytes(at: 4, count: 3)
///         guard color.count == 3 else { throw .truncated(rowsDecoded: 0, of: 64) }
///         row = (0..<64).flatMap { _ in color }
///     }
///
///     func prepare(for targetSize: PixelSize) -> PictureRows? {
///         PictureRows(stored: Self.size, size: Self.size, channels: 3)
///     }
///
///     func readRow(into resizer: inout RowResizer) -> Bool {
///         let row = row
///         resizer.add(row.span)
///         return true
///     }
/// }
/// ```
///
/// A call is a step on a main loop, so it should take far less than a millisecond. A format whose
/// calls take longer declares that in its ``PictureFormat/slicedPixels``.
public protocol PictureDecoder: AnyObject, SendableMetatype {
    /// The bytes that a file of this format can start with, at most 16; nil matches any byte.
    static var signatures: [[UInt8?]] { get }

    /// Returns whether a file that starts with one of the signatures is of this format, by its first
    /// 256 bytes.
    static func recognizes(_ head: [UInt8]) -> Bool

    /// Reads the header of a file of this format.
    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader

    /// Creates a decoder of a picture whose header is within the limits.
    init(_ picture: EncodedPicture) throws(PictureError.Reason)

    /// Reads a part of the data before the pixels.
    ///
    /// - Parameter targetSize: The size that the picture, as stored, is scaled down to fit. A decoder
    ///   that can scale while it decodes may give smaller rows, but none below the scaled size.
    /// - Returns: A description of the rows, or nil if there is more to read.
    /// - Throws: An error in the picture, or a limit that it exceeds.
    func prepare(for targetSize: PixelSize) throws(PictureError.Reason) -> PictureRows?

    /// Decodes a small part, and adds a row to the resizer if one is complete.
    ///
    /// - Parameter resizer: The resizer that receives the rows.
    /// - Returns: Whether a row was added.
    /// - Throws: An error in the picture.
    func readRow(into resizer: inout RowResizer) throws(PictureError.Reason) -> Bool

    /// Whether the last row was one of a preview, after which rows start again from the top.
    var isPreview: Bool { get }

    /// The damage to the picture that the decoder has passed over so far; nil if there is none.
    ///
    /// An error thrown for a row ends the picture there. If a tenth of the rows have been added, they
    /// are shown all the same, with the error as their damage.
    var damage: PictureError.Reason? { get }
}

extension PictureDecoder {
    /// Whether the last row was one of a preview; false by default.
    public var isPreview: Bool { false }

    /// The damage that was passed over; none by default.
    public var damage: PictureError.Reason? { nil }

    /// Returns true: the signature is enough by default.
    public static func recognizes(_ head: [UInt8]) -> Bool { true }
}

/// The colour model of a picture.
public enum ColorModel: Hashable, Sendable {
    /// Shades of grey.
    case grey
    /// Red, green and blue, which includes palettes of such colours.
    case rgb
    /// Cyan, magenta, yellow and black.
    case cmyk
}

/// A description of the rows that a decoder gives.
public struct PictureRows: Hashable, Sendable {
    /// The size of the picture as stored.
    public let stored: PixelSize
    /// The size of the decoded picture, which may be scaled down during decoding.
    public let size: PixelSize
    /// The number of values for each pixel: 4 for premultiplied RGBA, 3 for RGB if all are opaque.
    public let channels: Int
    /// The colour model of the picture; a colour profile of another model is ignored.
    ///
    /// Grey is given as RGB, too. The values of CMYK are cyan, magenta, yellow and black; 0 is no ink.
    public let model: ColorModel
    /// Whether the values have 15 bits, not 8.
    ///
    /// That is useful if, by the header, the colour space isn't sRGB.
    public let areDeep: Bool
    /// The number of pixels that are decoded for each row, by which the size of a step is chosen.
    public let pixelsPerRow: Int

    /// Creates a description; by default, an equal part of the picture is decoded for each row.
    public init(
        stored: PixelSize, size: PixelSize, channels: Int, model: ColorModel = .rgb,
        areDeep: Bool = false, pixelsPerRow: Int? = nil
    ) {
        self.stored = stored
        self.size = size
        self.channels = channels
        self.model = model
        self.areDeep = areDeep
        self.pixelsPerRow = pixelsPerRow ?? stored.width * stored.height / max(1, size.height)
    }
}

/// One picture in a file, for its decoder.
public struct EncodedPicture {
    /// The file.
    public let file: PictureFile
    /// The part of the file that is in the picture's own format.
    public let range: Range<Int>
    /// The header of the picture.
    public let header: PictureHeader
    /// The limits on the cost of decoding.
    public let limits: PictureLimits
    /// Whether previews are requested.
    public let givesPreviews: Bool
}

extension [UInt8?] {
    /// Creates a signature from a text.
    init(_ text: String) { self = text.utf8.map(\.self) }
}
