/// The metadata in a thumbnail's header: its size, and the file that it was made from.
struct ThumbnailAttributes {
    /// The limits of what is read of a header, whoever wrote it.
    private static let (chunks, textBytes) = (64, 16 << 10)
    /// The number of bytes that are read at once, which most headers fit in.
    private static let piece = 4096

    /// The size of the thumbnail.
    private(set) var size: PixelSize
    private var texts: [String: String] = [:]

    /// Reads a header; nil if the file isn't a PNG.
    ///
    /// The checksums are verified by whoever reads the pixels.
    init?(of entry: DiskCacheEntry) {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        guard let piece = entry.bytes(min(Self.piece, entry.byteCount), at: 0), piece.count >= 24,
            piece.starts(with: start + "IHDR".utf8)
        else { return nil }
        size = PixelSize(width: piece[16..<20].bigEndian, height: piece[20..<24].bigEndian)
        var offset = 33
        for _ in 0..<Self.chunks {
            guard let head = Self.bytes(8, at: offset, of: entry, piece),
                case let (length, type) = (head.prefix(4).bigEndian, head.suffix(4)),
                type != ArraySlice("IDAT".utf8), type != ArraySlice("IEND".utf8)
            else { break }
            if type == ArraySlice("tEXt".utf8), length <= Self.textBytes,
                let text = Self.bytes(length, at: offset + 8, of: entry, piece)
            {
                add(text)
            }
            offset += 12 + length
        }
    }

    /// Returns whether the thumbnail is that of a file in its current state.
    ///
    /// The modification times must be equal, as the standard requires: files also become older,
    /// when a backup is restored. The standard's whole seconds don't tell a file from one that has
    /// taken its place, so the rest of the stamp must be equal too, where it was stored.
    func isTrue(of uri: FileURI, _ stamp: FileStamp) -> Bool {
        texts["Thumb::URI"] == uri.text && texts["Thumb::MTime"] == String(stamp.seconds)
            && texts["Thumb::Size"].map { $0 == String(stamp.bytes) } ?? true
            && texts[Self.precise].map { $0 == Self.preciseTimes(of: stamp) } ?? true
    }

    /// The keyword of the precise times, which is this library's own.
    private static let precise = "Lull::Times"

    /// Returns the nanoseconds of the modification time, and the time of the last change.
    private static func preciseTimes(of stamp: FileStamp) -> String {
        let (seconds, attoseconds) = stamp.changed.components
        return "\(stamp.nanoseconds) \(seconds) \(attoseconds / 1_000_000_000)"
    }

    /// Whether the original is no larger than the thumbnail, which then serves every request.
    var isWhole: Bool {
        texts["Thumb::Image::Width"] == String(size.width)
            && texts["Thumb::Image::Height"] == String(size.height)
    }

    /// Returns the text chunks of a thumbnail, or of a failure record.
    static func texts(
        of uri: FileURI, _ stamp: FileStamp, _ header: PictureHeader?
    ) -> [(keyword: String, text: String)] {
        let file = [
            ("Thumb::URI", uri.text), ("Thumb::MTime", String(stamp.seconds)),
            ("Thumb::Size", String(stamp.bytes)), (precise, preciseTimes(of: stamp)),
            ("Software", "Lull"),
        ]
        guard let header else { return file }
        return file + [
            ("Thumb::Mimetype", header.format.mediaType),
            ("Thumb::Image::Width", String(header.orientedSize.width)),
            ("Thumb::Image::Height", String(header.orientedSize.height)),
        ]
    }

    private mutating func add(_ text: ArraySlice<UInt8>) {
        guard let end = text.firstIndex(of: 0) else { return }
        // PNG says Latin-1. Only ASCII is compared, which is the same in UTF-8.
        let keyword = String(decoding: text[..<end], as: UTF8.self)
        guard texts[keyword] == nil else { return }
        texts[keyword] = String(decoding: text[(end + 1)...], as: UTF8.self)
    }

    /// Returns bytes of a file whose first piece was read; nil if it's too short.
    private static func bytes(
        _ count: Int, at offset: Int, of entry: DiskCacheEntry, _ piece: [UInt8]
    ) -> ArraySlice<UInt8>? {
        if offset + count <= piece.count { return piece[offset..<offset + count] }
        return entry.bytes(count, at: offset)?[...]
    }
}
