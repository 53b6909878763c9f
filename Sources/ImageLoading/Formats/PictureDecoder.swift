/// A decoder of one kind of picture file, which gives rows from the top.
///
/// ``PictureJob`` makes one for each picture, of those that its ``PictureDecoders`` name. It asks for
/// rows until the picture is complete, and drops the decoder after an error.
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
///     func prepare(for box: PixelSize) -> PictureRows? {
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
/// A call is a step on a main loop, so it should be far below a millisecond; a format whose calls are
/// longer says so in its ``PictureFormat/slicedPixels``.
public protocol PictureDecoder: AnyObject, SendableMetatype {
    /// The bytes that a file of this kind can start with; any byte fits nil. At most 16 count.
    static var signatures: [[UInt8?]] { get }

    /// Reads the header of a file that starts with one of the signatures.
    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader

    /// A decoder of a picture that was found to be within the limits.
    init(_ picture: EncodedPicture) throws(PictureError.Reason)

    /// Reads on in what stands before the pixels.
    ///
    /// - Parameter box: The picture, as stored, will be scaled down to lie in it. A decoder that can
    ///   scale while it decodes may give smaller rows, but none below that size.
    /// - Returns: The rows to come, or nil if there is more to read.
    /// - Throws: What is wrong with the picture, or more than its limits.
    func prepare(for box: PixelSize) throws(PictureError.Reason) -> PictureRows?

    /// Decodes a little, and gives the resizer a row if that made one.
    ///
    /// - Parameter resizer: What makes the picture of the rows.
    /// - Returns: Whether it got one.
    /// - Throws: What is wrong with the picture.
    func readRow(into resizer: inout RowResizer) throws(PictureError.Reason) -> Bool

    /// Whether the last row was one of a first picture, after which the rows begin anew.
    var isPreview: Bool { get }
}

extension PictureDecoder {
    /// No: most decoders give one picture.
    public var isPreview: Bool { false }
}

/// The rows that a decoder is going to give.
public struct PictureRows: Hashable, Sendable {
    /// The size of the picture as stored.
    public let stored: PixelSize
    /// The size of the picture that the rows make: that to which it is scaled while decoding.
    public let size: PixelSize
    /// The values of each pixel: 4 for premultiplied RGBA, 3 for RGB where all is opaque.
    public let channels: Int
    /// Whether the values are 4 inks: cyan, magenta, yellow and black, where 0 is none.
    public let areInks: Bool
    /// Whether the values have 15 bits, not 8.
    ///
    /// That is of use if the header says that the colours aren't those of sRGB.
    public let areDeep: Bool
    /// The pixels that are decoded for each row, by which a step is measured.
    public let pixelsPerRow: Int

    /// Rows of a picture, for each of which an equal part of it is decoded unless said.
    public init(
        stored: PixelSize, size: PixelSize, channels: Int, areInks: Bool = false,
        areDeep: Bool = false, pixelsPerRow: Int? = nil
    ) {
        self.stored = stored
        self.size = size
        self.channels = channels
        self.areInks = areInks
        self.areDeep = areDeep
        self.pixelsPerRow = pixelsPerRow ?? stored.width * stored.height / max(1, size.height)
    }
}

/// One picture in a file, for its decoder.
public struct EncodedPicture {
    /// The file.
    public let file: PictureFile
    /// Where in the file the picture's own format begins and ends.
    public let range: Range<Int>
    /// What the file says of the picture.
    public let header: PictureHeader
    /// What the picture may cost.
    public let limits: PictureLimits
    /// Whether a picture that can be shown early is welcome.
    public let givesPreviews: Bool
}

/// The kinds of pictures that are read, each by its decoder: `.standard + [SwatchDecoder.self]`,
/// say.
public struct PictureDecoders: Sendable {
    /// The decoders, in the order in which files are shown to them.
    public let all: [any PictureDecoder.Type]

    /// JPEG, PNG, WebP and GIF.
    public static let standard = PictureDecoders([
        JPEGDecoder.self, PNGDecoder.self, WebPDecoder.self, GIFDecoder.self,
    ])

    /// The given kinds, and no others.
    public init(_ decoders: [any PictureDecoder.Type]) { all = decoders }

    /// Adds kinds, of which those before count first.
    public static func + (
        known: PictureDecoders, others: [any PictureDecoder.Type]
    ) -> PictureDecoders {
        PictureDecoders(known.all + others)
    }

    /// The number of bytes that are looked at of a file.
    static let signatureLength = 16

    /// Returns the decoder for a file that starts so, whatever its name.
    func decoder(
        of head: [UInt8]
    ) throws(PictureError.Reason) -> any PictureDecoder.Type {
        for decoder in all {
            for signature in decoder.signatures
            where zip(signature, head).allSatisfy({ $0 == nil || $0 == $1 }) {
                guard head.count >= signature.count else {
                    throw .truncated(rowsDecoded: 0, of: 0)
                }
                return decoder
            }
        }
        throw .unsupported(Self.name(of: head))
    }

    /// Returns the name of a kind that isn't read, or the first bytes of an unknown one.
    private static func name(of head: [UInt8]) -> String {
        // Bytes that are no ASCII become dots, so that offsets stay.
        let visible = head.map { (0x20..<0x7F).contains($0) ? $0 : 0x2E }
        let text = String(decoding: visible, as: UTF8.self)
        if text.hasPrefix("BM") { return "BMP" }
        if text.hasPrefix("II*") || text.hasPrefix("MM.*") { return "TIFF" }
        if text.dropFirst(4).hasPrefix("ftyp") {
            return "ISO media (\(text.dropFirst(8).prefix(4)))"
        }
        let letters = text.prefix { $0 != "." }
        if letters.count >= 4 { return "starts with \"\(letters)\"" }
        let hex = head.prefix(8).map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }
        return "starts with " + hex.joined(separator: " ")
    }
}

extension [UInt8?] {
    /// A signature that is a text.
    init(_ text: String) { self = text.utf8.map(\.self) }
}
