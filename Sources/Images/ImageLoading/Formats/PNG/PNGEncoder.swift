import CLullZlib
internal import LullLibC

/// An encoder that writes a picture as a PNG file, in steps.
///
/// It compresses for speed: every row uses the Sub filter, the difference to the pixel on the left,
/// and zlib its fastest level. That takes less than a third of the time of libpng's default, at up
/// to a third more bytes.
///
/// ```swift
/// var encoder = try PNGEncoder(picture)
/// var file: [UInt8] = []
/// while !encoder.step(into: &file) {}
/// ```
///
/// Colours are divided by alpha, as PNG requires; multiplying them again gives the same picture.
public struct PNGEncoder: ~Copyable {
    /// The number of pixels in a step, which takes about 0.1 ms.
    private static let grain = 4096
    /// The number of compressed bytes for which there is room at a time.
    private static let room = 16 << 10

    private let picture: Picture
    private let texts: [(keyword: String, text: String)]
    private let deflater: ZlibStream
    private var hasBegun = false
    private var rowsTaken = 0
    private var isDone = false

    /// Creates an encoder, which has written nothing yet.
    ///
    /// - Parameters:
    ///   - picture: The picture to write.
    ///   - texts: The textual metadata, in ASCII; a keyword has at most 79 characters.
    /// - Throws: `outOfMemory`: compression takes a quarter of a megabyte.
    ///
    /// Traps if the picture has no pixels, or a text can't be stored.
    public init(
        _ picture: Picture, texts: [(keyword: String, text: String)] = []
    ) throws(PictureError.Reason) {
        precondition(
            texts.allSatisfy { Self.isPlain($0.keyword) && Self.isPlain($0.text) }
                && texts.allSatisfy { (1...79).contains($0.keyword.utf8.count) },
            "the texts in a PNG are ASCII, and keywords have 1 to 79 characters")
        precondition(
            picture.size.width > 0 && picture.size.height > 0, "a PNG has at least one pixel")
        self.picture = picture
        self.texts = texts
        deflater = try ZlibStream(.deflating)
    }

    /// Writes the next part of the file: about 4096 pixels, or one row if that is longer.
    ///
    /// - Parameter file: The file, to which the bytes are appended; there may be none.
    /// - Returns: Whether that was the end of the file. A step after the last adds nothing.
    public mutating func step(into file: inout [UInt8]) -> Bool {
        if isDone { return true }
        if !hasBegun {
            hasBegun = true
            file += Self.head(of: picture.size, colorType: 6)
            for (keyword, text) in texts {
                Self.appendChunk("tEXt", keyword.utf8 + [0] + text.utf8, to: &file)
            }
        } else if rowsTaken < picture.size.height {
            let rows = max(1, Self.grain / picture.size.width)
            let end = min(picture.size.height, rowsTaken + rows)
            appendPixels(filtered(rowsTaken..<end), isLast: false, to: &file)
            rowsTaken = end
        } else {
            isDone = true
            appendPixels([], isLast: true, to: &file)
            Self.appendChunk("IEND", [], to: &file)
        }
        return isDone
    }

    /// Returns the start of a file whose values have 8 bits.
    static func head(of size: PixelSize, colorType: UInt8) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // The only methods of compression and filtering that exist, and no interlacing.
        let content = bytes(size.width) + bytes(size.height) + [8, colorType, 0, 0, 0]
        appendChunk("IHDR", content, to: &file)
        return file
    }

    private mutating func appendPixels(_ bytes: [UInt8], isLast: Bool, to file: inout [UInt8]) {
        var packed: [UInt8] = []
        var position = 0
        while deflater.process(
            bytes, from: &position, isLast: isLast, room: Self.room, to: &packed)
        {}
        if !packed.isEmpty { Self.appendChunk("IDAT", packed, to: &file) }
    }

    /// Returns filtered rows: the number of the filter, then the differences to the left pixel.
    private func filtered(_ rows: Range<Int>) -> [UInt8] {
        let count = 4 * picture.size.width
        let pixels = picture.pixels
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: rows.count * (count + 1)) { output in
            let pixels = pixels.span
            for row in rows {
                output.append(1)
                var left = SIMD4<UInt8>.zero
                for index in stride(from: row * count, to: (row + 1) * count, by: 4) {
                    let pixel = Self.straight(
                        SIMD4(
                            pixels[index], pixels[index + 1], pixels[index + 2], pixels[index + 3]))
                    let difference = pixel &- left
                    for channel in 0..<4 { output.append(difference[channel]) }
                    left = pixel
                }
            }
        }
        return bytes
    }

    /// Returns a pixel with its colours divided by its alpha, rounded to the nearest integer.
    private static func straight(_ pixel: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let alpha = UInt32(pixel.w)
        if alpha == 255 { return pixel }
        if alpha == 0 { return .zero }
        var result = pixel
        for channel in 0..<3 {
            let color = (UInt32(pixel[channel]) * 255 + alpha / 2) / alpha
            result[channel] = UInt8(min(255, color))
        }
        return result
    }

    static func appendChunk(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
        let body = Array(type.utf8) + data
        let sum = unsafe body.withUnsafeBufferPointer { bytes in
            unsafe crc32(0, bytes.baseAddress, UInt32(bytes.count))
        }
        file += bytes(data.count) + body + bytes(Int(sum))
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (1..<0x80).contains($0) }
    }
}
