/// A reader that finds the size and process of a JPEG by its markers up to the frame header.
///
/// It's as lenient as libjpeg: stray bytes before a marker are skipped.
struct JPEGHeaderReader {
    // Camera files have some dozens of segments before the frame, and hardly a stray byte. The
    // bounds keep this search, which is one step of a decoder, below a millisecond.
    private static let maxSegments = 1000
    private static let maxStrayBytes = 1 << 16

    private let range: Range<Int>
    private let readsEXIF: Bool
    private var window: FileWindow
    private var strayBytes = 0
    private var segments = 0
    /// The range of the EXIF metadata.
    private var notes: Range<Int>?
    /// The parts of the ICC profile by their numbers, and the expected number of parts.
    private var profile: [Int: Range<Int>] = [:]
    private var profileParts = 0

    /// Returns the header of a JPEG in a part of a file, with the orientation, the thumbnail and the
    /// colour profile if `readsEXIF` is true.
    static func header(
        of file: PictureFile, in range: Range<Int>, readsEXIF: Bool
    ) throws(PictureError.Reason) -> PictureHeader {
        var reader = JPEGHeaderReader(of: file, in: range, readsEXIF: readsEXIF)
        var header = try reader.walkToFrame()
        if readsEXIF { try? reader.walkToScan() }
        header.colors = reader.colors
        return header.described(by: reader.notes, in: file)
    }

    private init(of file: PictureFile, in range: Range<Int>, readsEXIF: Bool) {
        self.range = range
        self.readsEXIF = readsEXIF
        window = FileWindow(of: file, range: range)
    }

    private mutating func walkToFrame() throws(PictureError.Reason) -> PictureHeader {
        while let marker = try nextSegment() {
            switch marker {
            case 0xC4, 0xC8, 0xCC: try skipSegment()
            case 0xC0...0xCF: return try frame(marker)
            case 0xD9, 0xDA: throw .corrupt("no JPEG frame before the first scan")
            default: try pass(marker)
            }
        }
        throw .corrupt("too many segments")
    }

    /// Searches for EXIF metadata and a profile after the frame header, where they are rare.
    private mutating func walkToScan() throws(PictureError.Reason) {
        while let marker = try nextSegment(), marker != 0xD9, marker != 0xDA {
            try pass(marker)
        }
    }

    /// Skips the segment of a marker, if it has one.
    private mutating func pass(_ marker: UInt8) throws(PictureError.Reason) {
        switch marker {
        case 0x01, 0xD0...0xD8: break
        case 0xE1: try skipNotes()
        case 0xE2: try skipProfile()
        default: try skipSegment()
        }
    }

    private mutating func nextSegment() throws(PictureError.Reason) -> UInt8? {
        segments += 1
        return segments <= Self.maxSegments ? try nextMarker() : nil
    }

    private mutating func nextMarker() throws(PictureError.Reason) -> UInt8 {
        var isAfterFill = false
        while strayBytes < Self.maxStrayBytes {
            let byte = try window.byte()
            if isAfterFill && byte != 0 && byte != 0xFF { return byte }
            isAfterFill = byte == 0xFF
            strayBytes += 1
        }
        throw .corrupt("no JPEG marker in \(Self.maxStrayBytes) bytes")
    }

    /// Skips a segment that may hold EXIF metadata; the first in a file is used.
    private mutating func skipNotes() throws(PictureError.Reason) {
        let found = try skipSegment(markedBy: EXIF.mark)?.content
        notes = notes ?? found
    }

    /// Skips a segment that may hold a part of an ICC profile, after its number and the number of
    /// parts.
    private mutating func skipProfile() throws(PictureError.Reason) {
        let mark = Array("ICC_PROFILE".utf8) + [0, 0, 0]
        guard let part = try skipSegment(markedBy: mark, wild: 2) else { return }
        let (number, count) = (Int(part.mark[12]), Int(part.mark[13]))
        if profile.isEmpty { profileParts = count }
        if profile[number] == nil { profile[number] = part.content.dropFirst(mark.count) }
    }

    private var colors: ColorProfile {
        guard profileParts > 0, profile.count == profileParts else { return .sRGB }
        let pieces = (1...profileParts).compactMap { profile[$0] }
        let length = pieces.reduce(0) { $0 + $1.count }
        guard pieces.count == profileParts, length <= ColorProfile.maxLength else { return .sRGB }
        return .icc(pieces)
    }

    /// Skips a segment, and returns its range if it begins with a mark.
    ///
    /// The last `wild` bytes of the mark match any byte.
    @discardableResult private mutating func skipSegment(
        markedBy mark: [UInt8] = [], wild: Int = 0
    ) throws(PictureError.Reason) -> (content: Range<Int>, mark: [UInt8])? {
        // A length includes itself; like libjpeg, a smaller one is taken for that.
        let length = max(2, try number())
        let start = window.position
        let content = start..<min(start + length - 2, range.upperBound)
        guard readsEXIF, content.count >= mark.count else {
            window.skip(length - 2)
            return nil
        }
        let found = try window.bytes(mark.count)
        window.skip(length - 2 - mark.count)
        return found.dropLast(wild) == mark.dropLast(wild) ? (content, found) : nil
    }

    private mutating func frame(_ marker: UInt8) throws(PictureError.Reason) -> PictureHeader {
        guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) else {
            throw .unsupported("JPEG process \(String(marker, radix: 16))")
        }
        let end = window.position + (try number())
        let precision = try window.byte()
        let height = try number()
        let width = try number()
        let channels = Int(try window.byte())
        window.skip(max(0, end - window.position))
        let format: PictureFormat =
            switch marker {
            case 0xC9, 0xCA: .arithmeticJPEG
            case 0xC2: .progressiveJPEG
            default: .jpeg
            }
        return PictureHeader(
            format: format,
            size: PixelSize(width: width, height: height),
            fileBytes: range.count,
            channels: channels,
            bytesPerSample: precision > 8 ? 2 : 1)
    }

    private mutating func number() throws(PictureError.Reason) -> Int {
        Int(try window.byte()) << 8 | Int(try window.byte())
    }
}
