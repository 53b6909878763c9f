import ImageLoading

/// The boxes of a HEIC or AVIF file, which take a few small reads, whatever its length.
struct HEIFFile {
    /// The number of bytes that are read first, enough for the boxes of most photos.
    private static let firstRead = 8192
    private static let maxTable = 256 << 10
    private static let maxBoxes = 64
    private static let maxNotes = 64 << 10

    private let file: PictureFile
    let table: ItemTable

    init(_ file: PictureFile) throws(PictureError.Reason) {
        self.file = file
        let first = try file.bytes(at: 0, count: Self.firstRead)
        var position = 0
        for _ in 0..<Self.maxBoxes {
            let end = min(position + BoxHead.maxSize, file.byteCount)
            var reader = BoxReader(
                end <= first.count ? first[position..<end] : try file.bytes(position..<end)[...])
            guard reader.rest.count == BoxHead.maxSize else {
                throw .truncated(rowsDecoded: 0, of: 0)
            }
            let head = try BoxHead(&reader, of: file.byteCount - position)
            let (next, isBeyond) = position.addingReportingOverflow(head.length)
            guard !isBeyond else { throw .truncated(rowsDecoded: 0, of: 0) }
            if head.name == "meta" {
                guard head.length <= Self.maxTable else {
                    throw .corrupt("a box meta of \(head.length) bytes")
                }
                let content = position + head.size..<next
                table = try ItemTable(
                    next <= first.count ? first[content] : try file.bytes(content)[...])
                return
            }
            guard next < file.byteCount else { throw .truncated(rowsDecoded: 0, of: 0) }
            position = next
        }
        throw .corrupt("too many boxes before the box meta")
    }

    /// Returns whether the file is long enough for an item.
    func hasAll(of item: Int) -> Bool {
        guard let item = table.items[item], !item.isInTable else { return true }
        return item.extents.allSatisfy { $0.upperBound <= file.byteCount }
    }

    /// The date in the EXIF metadata of the primary picture, which takes one more read; nil if there
    /// is none, or the metadata is damaged.
    var dateTaken: Int? {
        let notes = table.references("cdsc", to: table.primary)
            .first { table.items[$0]?.type == "Exif" }
        guard let notes, let bytes = try? data(of: notes, atMost: Self.maxNotes) else { return nil }
        // The metadata is preceded by the distance to it.
        let distance = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return EXIF(Array(bytes.dropFirst(4 + distance))).dateTaken
    }

    /// Returns the bytes of an item.
    ///
    /// - Throws: An error if there are none, or more than `limit`, or if the file ends too early.
    func data(of item: Int, atMost limit: Int) throws(PictureError.Reason) -> [UInt8] {
        guard let item = table.items[item], !item.extents.isEmpty else {
            throw .corrupt("an item without data")
        }
        var bytes: [UInt8] = []
        for extent in item.extents {
            guard extent.count <= limit - bytes.count else {
                throw .tooLarge(.bytes, found: bytes.count + extent.count, limit: limit)
            }
            if item.isInTable {
                guard extent.upperBound <= table.data.count else {
                    throw .corrupt("an item beyond the box idat")
                }
                bytes += table.data.dropFirst(extent.lowerBound).prefix(extent.count)
            } else {
                bytes += try file.bytes(extent)
            }
        }
        return bytes
    }
}

extension PictureFile {
    /// Returns the bytes of a part of the file.
    ///
    /// - Throws: `truncated` if the file ends too early.
    func bytes(_ range: Range<Int>) throws(PictureError.Reason) -> [UInt8] {
        guard range.upperBound <= byteCount else { throw .truncated(rowsDecoded: 0, of: 0) }
        let bytes = try bytes(at: range.lowerBound, count: range.count)
        guard bytes.count == range.count else { throw .truncated(rowsDecoded: 0, of: 0) }
        return bytes
    }
}
