/// Finds size and depth of a PNG in its first chunk.
enum PNGHeaderReader {
    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        let bytes = try file.bytes(at: 8, count: 21)
        guard bytes.count == 21 else { throw .truncated(rowsDecoded: 0, of: 0) }
        guard bytes[0..<8] == [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52] else {
            throw .corrupt("a PNG that does not begin with IHDR")
        }
        guard let channels = channels(ofColorType: bytes[17]) else {
            throw .corrupt("PNG colour type \(bytes[17])")
        }
        let size = PixelSize(width: number(bytes[8..<12]), height: number(bytes[12..<16]))
        guard max(size.width, size.height) < 1 << 31 else {
            throw .corrupt("a PNG of \(size) pixels")
        }
        return PictureHeader(
            format: bytes[20] != 0 ? .interlacedPNG : .png,
            size: size,
            fileBytes: file.byteCount,
            channels: channels,
            bytesPerSample: bytes[16] > 8 ? 2 : 1)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func channels(ofColorType type: UInt8) -> Int? {
        switch type {
        case 0, 3: 1
        case 2: 3
        case 4: 2
        case 6: 4
        default: nil
        }
    }
}
