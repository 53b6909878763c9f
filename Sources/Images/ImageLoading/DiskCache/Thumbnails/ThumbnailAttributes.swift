/// The metadata in a thumbnail's header: its size, and the file that it was made from.
struct ThumbnailAttributes {
    /// The limits of what is read of a header, whoever wrote it.
    private static let (chunks, textBytes) = (64, 16 << 10)

    /// The size of the thumbnail.
    private(set) var size: PixelSize
    private var texts: [String: String] = [:]

    /// Reads a header; nil if the file isn't a PNG.
    ///
    /// The checksums are verified by whoever reads the pixels.
    init?(of file: PictureFile) {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        var window = FileWindow(of: file)
        guard let head = try? window.bytes(24), head.starts(with: start + "IHDR".utf8) else {
            return nil
        }
        size = PixelSize(width: head[16..<20].bigEndian, height: head[20...].bigEndian)
        window.skip(9)
        for _ in 0..<Self.chunks {
            guard let chunk = try? PNGChunk(&window), !["IDAT", "IEND"].contains(chunk.name)
            else { break }
            if chunk.name == "tEXt", chunk.content.count <= Self.textBytes,
                let text = try? window.bytes(chunk.content.count)
            {
                add(text)
            }
            window.skip(chunk.content.upperBound + 4 - window.position)
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

    private mutating func add(_ text: [UInt8]) {
        guard let end = text.firstIndex(of: 0) else { return }
        // PNG says Latin-1. Only ASCII is compared, which is the same in UTF-8.
        let keyword = String(decoding: text[..<end], as: UTF8.self)
        guard texts[keyword] == nil else { return }
        texts[keyword] = String(decoding: text[(end + 1)...], as: UTF8.self)
    }
}
