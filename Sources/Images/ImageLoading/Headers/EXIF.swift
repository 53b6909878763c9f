/// The part of a picture file's EXIF metadata that matters for a thumbnail.
///
/// EXIF metadata is a TIFF file without pixels of its own. Only three directories are read, that of
/// the picture, that of the camera, and that of the thumbnail, and at most 512 entries of each, so
/// that the time is bounded. Invalid entries are ignored.
package struct EXIF: Equatable, Sendable {
    /// The orientation of the stored picture.
    package private(set) var orientation = PictureOrientation.upright
    /// The range of the thumbnail in the metadata, a small JPEG.
    package private(set) var thumbnail: Range<Int>?
    /// The time at which the picture was taken; see ``PictureHeader/dateTaken``.
    package private(set) var dateTaken: Int?

    /// The bytes before the metadata in a JPEG, and sometimes in a WebP.
    static let mark: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
}

extension EXIF {
    /// Reads metadata, with or without `Exif` and two zeros before it.
    package init(_ bytes: [UInt8]) {
        self.init()
        let start = bytes.starts(with: Self.mark) ? Self.mark.count : 0
        guard let tiff = TIFFBytes(bytes, from: start), let first = tiff.long(at: 4) else { return }
        let main = TIFFDirectory(of: tiff, at: first)
        orientation = main[0x112].flatMap(PictureOrientation.init(rawValue:)) ?? .upright
        let camera = main[0x8769].map { TIFFDirectory(of: tiff, at: $0) }
        let (original, digitized, changed) = (0x9003, 0x9004, 0x132)
        dateTaken =
            camera?.date(original) ?? camera?.date(digitized) ?? main.date(changed)
        guard let second = main.next, second != 0, second != first else { return }
        let directory = TIFFDirectory(of: tiff, at: second)
        let (compression, jpeg) = (0x103, 6)
        guard directory[compression] == jpeg, let offset = directory[0x201],
            let length = directory[0x202], length > 0, start + offset + length <= bytes.count
        else { return }
        thumbnail = start + offset..<start + offset + length
    }
}

extension PictureHeader {
    /// The maximum number of bytes of metadata that are read; a JPEG has no room for more.
    private static let maxNotes = 1 << 16

    /// Returns the header with the orientation and the thumbnail from EXIF metadata in the file.
    ///
    /// Damaged or implausible metadata is ignored.
    func described(by notes: Range<Int>?, in file: PictureFile) -> PictureHeader {
        guard let notes else { return self }
        let count = min(notes.count, Self.maxNotes)
        let bytes = (try? file.bytes(at: notes.lowerBound, count: count)) ?? []
        let exif = EXIF(bytes)
        let thumbnail = exif.thumbnail.flatMap { inner -> EmbeddedThumbnail? in
            let start = notes.lowerBound + inner.lowerBound
            let range = start..<start + inner.count
            guard bytes[inner].starts(with: [0xFF, 0xD8, 0xFF]),
                let header = try? JPEGHeaderReader.header(of: file, in: range, readsEXIF: false),
                [1, 3].contains(header.channels), header.bytesPerSample == 1
            else { return nil }
            return EmbeddedThumbnail(
                range: range, format: header.format, size: header.size, channels: header.channels)
        }
        var header = self
        header.orientation = exif.orientation
        header.embeddedThumbnail = thumbnail
        header.dateTaken = exif.dateTaken
        return header
    }
}
