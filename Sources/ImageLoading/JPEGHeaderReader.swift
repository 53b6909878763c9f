/// Finds size and process of a JPEG by walking its markers up to the frame header.
///
/// As lenient as libjpeg: stray bytes before a marker are passed over.
struct JPEGHeaderReader {
    // Camera files have some dozens of segments before the frame, and hardly a stray byte. The
    // bounds keep the walk, which is one step of a decoder, below a millisecond.
    private static let maxSegments = 1000
    private static let maxStrayBytes = 1 << 16

    private var window = FileWindow()
    private var strayBytes = 0

    static func header(of file: ImageFile) throws(ImageError.Reason) -> ImageHeader {
        var reader = JPEGHeaderReader()
        for _ in 0..<maxSegments {
            let marker = try reader.nextMarker(of: file)
            switch marker {
            case 0xC4, 0xC8, 0xCC: try reader.skipSegment(of: file)
            case 0xC0...0xCF: return try reader.frame(marker, of: file)
            case 0x01, 0xD0...0xD8: break
            case 0xD9, 0xDA: throw .corrupt("no JPEG frame before the first scan")
            default: try reader.skipSegment(of: file)
            }
        }
        throw .corrupt("too many segments")
    }

    private mutating func nextMarker(
        of file: ImageFile
    ) throws(ImageError.Reason) -> UInt8 {
        var isAfterFill = false
        while strayBytes < Self.maxStrayBytes {
            let byte = try byte(of: file)
            if isAfterFill && byte != 0 && byte != 0xFF { return byte }
            isAfterFill = byte == 0xFF
            strayBytes += 1
        }
        throw .corrupt("no JPEG marker in \(Self.maxStrayBytes) bytes")
    }

    private mutating func skipSegment(of file: ImageFile) throws(ImageError.Reason) {
        let length = try number(of: file)
        guard length >= 2 else { throw .corrupt("a JPEG segment of length \(length)") }
        window.skip(length - 2)
    }

    private mutating func frame(
        _ marker: UInt8, of file: ImageFile
    ) throws(ImageError.Reason) -> ImageHeader {
        guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) else {
            throw .unsupported("JPEG process \(String(marker, radix: 16))")
        }
        window.skip(2)
        let precision = try byte(of: file)
        let height = try number(of: file)
        let width = try number(of: file)
        return ImageHeader(
            format: .jpeg(progressive: marker == 0xC2 || marker == 0xCA),
            size: PixelSize(width: width, height: height),
            fileBytes: file.byteCount,
            channels: Int(try byte(of: file)),
            bytesPerSample: precision > 8 ? 2 : 1)
    }

    private mutating func number(of file: ImageFile) throws(ImageError.Reason) -> Int {
        Int(try byte(of: file)) << 8 | Int(try byte(of: file))
    }

    private mutating func byte(of file: ImageFile) throws(ImageError.Reason) -> UInt8 {
        guard let byte = try window.byte(of: file) else { throw .truncated(rowsDecoded: 0, of: 0) }
        return byte
    }
}
