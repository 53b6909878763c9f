import CLullPictureCodecs

/// A decoder of WebPs by libwebp, at the size that is shown; of an animation, the first frame.
final class WebPDecoder: CodecDecoder, PictureDecoder {
    // There is a length between the two names.
    static let signatures: [[UInt8?]] = [
        [UInt8?]("RIFF") + [nil, nil, nil, nil] + [UInt8?]("WEBP")
    ]

    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        let frame = try WebPFrame(of: file, range: 0..<file.byteCount)
        let notes = WebPChunkWalker.notes(of: file)
        return PictureHeader(
            format: frame.isLossless ? .losslessWebP : .webP, size: frame.canvas,
            fileBytes: file.byteCount, channels: frame.hasAlpha ? 4 : 3, bytesPerSample: 1,
            colors: notes.colors
        ).described(by: notes.exif, in: file)
    }

    init(_ picture: EncodedPicture) throws(PictureError.Reason) {
        let frame = try WebPFrame(of: picture.file, range: picture.range)
        let source = unsafe PictureCodecSource(picture.file, range: frame.data)
        try unsafe super.init(
            picture,
            opened: picture_codec_open_webp(
                source, PictureCodecFrame(frame), PictureCodecLimits(picture.limits)))
    }
}
