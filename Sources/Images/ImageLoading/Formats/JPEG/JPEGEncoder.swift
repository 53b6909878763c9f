import CLullPictureCodecs
internal import LullLibC

/// An encoder that writes a picture as a JPEG file, in steps.
///
/// It writes baseline JPEG with one chroma sample for four pixels, and with the standard's Huffman
/// tables: optimised tables would save a few per cent, at the cost of a second pass over the
/// picture.
///
/// ```swift
/// var encoder = try JPEGEncoder(picture, quality: 85)
/// var file: [UInt8] = []
/// while try !encoder.step(into: &file) {}
/// ```
///
/// A JPEG is opaque: transparent pixels are composited onto white.
@safe public struct JPEGEncoder: ~Copyable {
    /// The number of pixels in a step, which takes about 0.1 ms.
    private static let grain = 4096
    /// The maximum number of pixels on a side.
    private static let longestSide = Int(picture_encoder_longest_side)

    private let picture: Picture
    private let encoder: OpaquePointer
    private var hasBegun = false
    private var rowsTaken = 0
    private var isDone = false

    /// Creates an encoder, which has written nothing yet.
    ///
    /// - Parameters:
    ///   - picture: The picture to write, with sides of 1 to 65,500 pixels.
    ///   - quality: The JPEG quality, from 1 to 100.
    /// - Throws: `outOfMemory`: it takes 16 rows and some 30 kilobytes.
    ///
    /// Traps if the quality isn't 1 to 100, or a side isn't 1 to 65,500 pixels.
    public init(_ picture: Picture, quality: Int) throws(PictureError.Reason) {
        precondition((1...100).contains(quality), "a JPEG's quality is from 1 to 100")
        let (width, height) = (picture.size.width, picture.size.height)
        precondition(
            (1...Self.longestSide).contains(width) && (1...Self.longestSide).contains(height),
            "a JPEG has 1 to 65,500 pixels a side")
        guard
            let encoder = unsafe picture_encoder_open_jpeg(
                Int32(width), Int32(height), Int32(quality))
        else { throw .outOfMemory }
        unsafe self.encoder = encoder
        self.picture = picture
    }

    deinit { unsafe picture_encoder_close(encoder) }

    /// Writes the next part of the file: about 4096 pixels, or 16 rows if those have more.
    ///
    /// - Parameter file: The file, to which the bytes are appended; there may be none.
    /// - Returns: Whether that was the end of the file. A step after the last adds nothing.
    /// - Throws: `outOfMemory`. That was the last step.
    public mutating func step(into file: inout [UInt8]) throws(PictureError.Reason) -> Bool {
        if isDone { return true }
        // An error ends the encoder.
        isDone = true
        let isLast = hasBegun && rowsTaken == picture.size.height
        if !hasBegun {
            hasBegun = true
            try check(unsafe picture_encoder_start(encoder))
        } else if isLast {
            try check(unsafe picture_encoder_finish(encoder))
        } else {
            try addRows()
        }
        var count = 0
        let bytes = unsafe picture_encoder_bytes(encoder, &count)
        unsafe file.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        isDone = isLast
        return isLast
    }

    private mutating func addRows() throws(PictureError.Reason) {
        let unit = Int(picture_encoder_rows_at_once)
        let rows = unit * max(1, Self.grain / (unit * picture.size.width))
        let end = min(picture.size.height, rowsTaken + rows)
        let length = 4 * picture.size.width
        let picture = picture
        let pixels = picture.pixels.span.extracting(rowsTaken * length..<end * length)
        let added =
            pixels.hasTransparency
            ? add(Self.composed(pixels).span, rows: end - rowsTaken)
            : add(pixels, rows: end - rowsTaken)
        rowsTaken = end
        try check(added)
    }

    private func add(_ pixels: Span<UInt8>, rows: Int) -> Bool {
        unsafe pixels.withUnsafeBufferPointer { pixels in
            unsafe picture_encoder_add_rows(encoder, pixels.baseAddress, Int32(rows))
        }
    }

    /// Returns pixels composited onto white.
    private static func composed(_ pixels: Span<UInt8>) -> PictureBuffer {
        var result = PictureBuffer(capacity: pixels.count)
        result.append(pixels)
        var span = result.mutableSpan
        for start in stride(from: 0, to: span.count, by: 4) where span[start + 3] < 255 {
            let seen = 255 - UInt32(span[start + 3])
            for index in start..<start + 3 {
                span[index] = UInt8(min(255, UInt32(span[index]) + seen))
            }
        }
        return result
    }

    private func check(_ isWell: Bool) throws(PictureError.Reason) {
        if !isWell { throw .outOfMemory }
    }
}
