import CPictureCodecs

/// Decodes PNGs by libpng.
final class PNGDecoder: CodecDecoder, PictureDecoder {
    static let signatures: [[UInt8?]] = [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]]

    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        var header = try PNGHeaderReader.header(of: file)
        let notes = PNGChunkWalker.notes(of: file)
        header.colors = notes.colors
        return header.described(by: notes.exif, in: file)
    }

    init(_ picture: EncodedPicture) throws(PictureError.Reason) {
        let source = unsafe PictureCodecSource(picture.file, range: picture.range)
        let limits = PictureCodecLimits(picture.limits)
        try unsafe super.init(picture, opened: picture_codec_open_png(source, limits))
    }
}
