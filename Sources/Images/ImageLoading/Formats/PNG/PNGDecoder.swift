import CLullPictureCodecs

/// A decoder of PNGs by libpng.
final class PNGDecoder: CodecDecoder, PictureDecoder {
    static let signatures: [[UInt8?]] = [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]]

    /// The number of values for each pixel, by colour type.
    private static let channels: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]

    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        var header = try firstChunk(of: file)
        let notes = PNGChunkWalker.notes(of: file)
        header.colors = notes.colors
        return header.described(by: notes.exif, in: file)
    }

    init(_ picture: EncodedPicture) throws(PictureError.Reason) {
        let source = unsafe PictureCodecSource(picture.file, range: picture.range)
        let limits = PictureCodecLimits(picture.limits)
        try unsafe super.init(picture, opened: picture_codec_open_png(source, limits))
    }

    /// Reads size and depth from the first chunk.
    private static func firstChunk(of file: PictureFile) throws(PictureError.Reason)
        -> PictureHeader
    {
        let bytes = try file.bytes(at: 8, count: 21)
        guard bytes.count == 21 else { throw .truncated(rowsDecoded: 0, of: 0) }
        guard bytes[0..<8] == [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52] else {
            throw .corrupt("a PNG that does not begin with IHDR")
        }
        guard let channels = channels[bytes[17]] else {
            throw .corrupt("PNG colour type \(bytes[17])")
        }
        let size = PixelSize(width: bytes[8..<12].bigEndian, height: bytes[12..<16].bigEndian)
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
}
