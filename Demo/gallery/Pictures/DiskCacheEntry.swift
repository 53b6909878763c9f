internal import CZlib
internal import GalleryFiles
internal import ImageLoading

/// The file of a small picture in a disk cache: which it is, how long, and a sum over all, before it.
///
/// After four bytes of name come the sum of all that follows, the picture's number and stamp, its
/// kind, format, width, height and length, all little-endian, and then its bytes.
enum DiskCacheEntry {
    private static let mark = Array("LTN1".utf8)
    private static let headLength = 4 + 4 + 8 + 8 + 1 + 1 + 2 + 2 + 4
    /// The most bytes of an entry.
    static let byteLimit = headLength + Thumbnail.byteLimit

    static func bytes(of thumbnail: Thumbnail, for key: ThumbnailKey) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(headLength + thumbnail.bytes.count)
        append(key.picture.id.value, 8, to: &body)
        append(key.picture.stamp, 8, to: &body)
        body += [key.size.rawValue, thumbnail.format.rawValue]
        append(UInt64(thumbnail.size.width), 2, to: &body)
        append(UInt64(thumbnail.size.height), 2, to: &body)
        append(UInt64(thumbnail.bytes.count), 4, to: &body)
        body += thumbnail.bytes
        var head = mark
        append(sum(of: body[...]), 4, to: &head)
        return head + body
    }

    /// Returns the thumbnail of an entry; nil if it isn't whole, or another's.
    static func thumbnail(_ entry: [UInt8], for key: ThumbnailKey) -> Thumbnail? {
        guard entry.count >= headLength, entry.starts(with: mark),
            number(entry, at: 4, 4) == sum(of: entry[8...]),
            number(entry, at: 8, 8) == key.picture.id.value,
            number(entry, at: 16, 8) == key.picture.stamp, entry[24] == key.size.rawValue,
            let format = Thumbnail.Format(rawValue: entry[25]),
            number(entry, at: 30, 4) == UInt64(entry.count - headLength)
        else { return nil }
        let size = PixelSize(
            width: Int(number(entry, at: 26, 2)), height: Int(number(entry, at: 28, 2)))
        return Thumbnail(Array(entry[headLength...]), format, size)
    }

    private static func append(_ value: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    private static func number(_ bytes: [UInt8], at start: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * $1) }
    }

    private static func sum(of bytes: ArraySlice<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe UInt64(crc32(0, bytes.baseAddress, UInt32(bytes.count)))
        }
    }
}
