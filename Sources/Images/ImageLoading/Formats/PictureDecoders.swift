/// The decoders of the supported formats, such as `.standard + [SwatchDecoder.self]`.
public struct PictureDecoders: Sendable {
    /// The decoders, in the order in which they are tried.
    public let all: [any PictureDecoder.Type]

    /// The decoders of JPEG, PNG, WebP and GIF.
    public static let standard = PictureDecoders([
        JPEGDecoder.self, PNGDecoder.self, WebPDecoder.self, GIFDecoder.self,
    ])

    /// Creates a list of the given decoders only.
    public init(_ decoders: [any PictureDecoder.Type]) { all = decoders }

    /// Returns a list with further decoders, which are tried after those already in it.
    public static func + (
        known: PictureDecoders, others: [any PictureDecoder.Type]
    ) -> PictureDecoders {
        PictureDecoders(known.all + others)
    }

    /// Returns the decoder for a file by its content, whatever its name.
    func decoder(
        of file: PictureFile
    ) throws(PictureError.Reason) -> any PictureDecoder.Type {
        let head = try file.bytes(at: 0, count: 256)
        for decoder in all {
            for signature in decoder.signatures
            where zip(signature, head).allSatisfy({ $0 == nil || $0 == $1 }) {
                guard head.count >= signature.count else {
                    throw .truncated(rowsDecoded: 0, of: 0)
                }
                if decoder.recognizes(head) { return decoder }
            }
        }
        throw .unsupported(Self.name(of: Array(head.prefix(16))))
    }

    /// Returns the name of an unsupported format, or the first bytes of an unknown one.
    private static func name(of head: [UInt8]) -> String {
        // Bytes that aren't ASCII become dots, so that offsets are kept.
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
