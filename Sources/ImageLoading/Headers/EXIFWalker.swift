/// Reads EXIF notes: a TIFF file without pixels of its own, inside another file.
///
/// It looks into the first two directories, that of the picture and that of its thumbnail, and at
/// most 512 entries of each, so that no notes can hold it up. What is wrong counts as not there.
package enum EXIFWalker {
    /// Returns what the notes say.
    ///
    /// - Parameter bytes: The notes, with or without `Exif` and two zeros before them.
    /// - Returns: What was found; the thumbnail's range is one of `bytes`, and lies within them.
    package static func read(_ bytes: [UInt8]) -> EXIF {
        let start = bytes.starts(with: mark) ? mark.count : 0
        guard let tiff = TIFFBytes(bytes, from: start), let first = tiff.long(at: 4) else {
            return EXIF()
        }
        let main = TIFFDirectory(of: tiff, at: first)
        let orientation = main[0x112].flatMap(PictureOrientation.init(rawValue:)) ?? .upright
        guard let second = main.next, second != 0, second != first else {
            return EXIF(orientation: orientation)
        }
        let thumbnail = thumbnail(TIFFDirectory(of: tiff, at: second), in: start..<bytes.count)
        return EXIF(orientation: orientation, thumbnail: thumbnail)
    }

    /// The bytes before the notes in a JPEG, and sometimes in a WebP.
    static let mark: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

    private static func thumbnail(
        _ directory: TIFFDirectory, in notes: Range<Int>
    ) -> Range<Int>? {
        let (compression, jpeg) = (0x103, 6)
        guard directory[compression] == jpeg, let offset = directory[0x201],
            let length = directory[0x202], length > 0
        else { return nil }
        let start = notes.lowerBound + offset
        return start + length <= notes.upperBound ? start..<start + length : nil
    }
}
