import CLullPictureCodecs

/// A decoder of WebPs by libwebp, at the size that is shown; of an animation, the first frame.
final class WebPDecoder: CodecDecoder, PictureDecoder {
    // There is a length between the two names.
    static let signatures: [[UInt8?]] = [
        [UInt8?]("RIFF") + [nil, nil, nil, nil] + [UInt8?]("WEBP")
    ]

    /// The maximum number of chunks; an animation has one for each of its frames.
    private static let maxChunks = 1000

    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        let frame = try WebPFrame(of: file, range: 0..<file.byteCount)
        let notes = notes(of: file)
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

    /// Finds the EXIF metadata and the ICC profile, if the first chunk says that there are any.
    private static func notes(of file: PictureFile) -> (exif: Range<Int>?, colors: ColorProfile) {
        var colors = ColorProfile.sRGB
        let head = (try? file.bytes(at: 4, count: 4)) ?? []
        // The length stated in the file is used if the file is at least as long.
        let end = min(file.byteCount, head.littleEndian + 8)
        guard end > 12 else { return (nil, colors) }
        var chunks = WebPChunks(of: file, range: 12..<end)
        guard let first = try? chunks.next(), first.name == "VP8X",
            let flags = try? chunks.bytes(of: first, count: 1)
        else { return (nil, colors) }
        let (hasEXIF, hasProfile) = (flags[0] & 0x08 != 0, flags[0] & 0x20 != 0)
        // The profile is stored before the picture, the EXIF metadata after it.
        for index in 0..<maxChunks where hasEXIF || (hasProfile && index == 0) {
            guard let chunk = try? chunks.next() else { break }
            if chunk.name == "EXIF", hasEXIF { return (chunk.content, colors) }
            if chunk.name == "ICCP", hasProfile, index == 0 { colors = .icc([chunk.content]) }
        }
        return (nil, colors)
    }
}
