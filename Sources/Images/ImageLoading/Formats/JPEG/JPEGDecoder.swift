import CLullPictureCodecs

/// A decoder of JPEGs by libjpeg-turbo, at n/8 of their size if that is enough.
final class JPEGDecoder: CodecDecoder, PictureDecoder {
    static let signatures: [[UInt8?]] = [[0xFF, 0xD8, 0xFF]]

    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        try JPEGHeaderReader.header(of: file, in: 0..<file.byteCount, readsEXIF: true)
    }

    init(_ picture: EncodedPicture) throws(PictureError.Reason) {
        let source = unsafe PictureCodecSource(picture.file, range: picture.range)
        let limits = PictureCodecLimits(picture.limits)
        try unsafe super.init(picture, opened: picture_codec_open_jpeg(source, limits))
    }
}
