/// A search for the metadata chunks of a WebP, which reads only the heads of the others.
enum WebPChunkWalker {
    /// The maximum number of chunks; an animation has one for each of its frames.
    private static let maxChunks = 1000

    /// Finds the EXIF metadata and the ICC profile, if the first chunk says that there are any.
    static func notes(of file: PictureFile) -> (exif: Range<Int>?, colors: ColorProfile) {
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
