/// The EXIF notes of a picture file, with the thumbnail that they hold.
///
/// Nothing is thrown here: notes that are damaged, or lie, say nothing, and the picture is decoded
/// as one without notes.
struct FileEXIF {
    /// The most bytes that are read: a JPEG has no room for more, and other formats hardly use it.
    static let maxLength = 1 << 16

    let orientation: PictureOrientation
    let thumbnail: EmbeddedThumbnail?

    /// Reads the notes that a part of a file holds.
    init(of file: PictureFile, in range: Range<Int>) {
        let count = min(range.count, Self.maxLength)
        let bytes = (try? file.bytes(at: range.lowerBound, count: count)) ?? []
        let exif = EXIFWalker.read(bytes)
        orientation = exif.orientation
        thumbnail = exif.thumbnail.flatMap { inner in
            guard bytes[inner].starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
            let start = range.lowerBound + inner.lowerBound
            return Self.thumbnail(of: file, in: start..<start + inner.count)
        }
    }

    private static func thumbnail(
        of file: PictureFile, in range: Range<Int>
    ) -> EmbeddedThumbnail? {
        guard let header = try? JPEGHeaderReader.header(of: file, in: range, readsEXIF: false),
            [1, 3].contains(header.channels), header.bytesPerSample == 1
        else { return nil }
        return EmbeddedThumbnail(
            range: range, format: header.format, size: header.size, channels: header.channels)
    }
}
