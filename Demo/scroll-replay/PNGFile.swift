import CZlib
import ImageLoading
import TerminalPictures

/// The bytes of a PNG file: 8 bits each of red, green, blue and alpha, not interlaced.
///
/// Rows are stored as differences from the pixel to the left, which costs little and helps zlib.
enum PNGFile {
    /// A file with a picture; nil if there's no memory left to pack it.
    static func bytes(of picture: Picture) -> [UInt8]? {
        guard let data = deflated(rows(of: picture)) else { return nil }
        let header = big(picture.size.width) + big(picture.size.height) + [8, 6, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("IDAT", data)
            + chunk("IEND", [])
    }

    /// The rows, each after the number of its filter.
    private static func rows(of picture: Picture) -> [UInt8] {
        let straight = picture.straightBytes
        let width = 4 * picture.size.width
        var rows: [UInt8] = []
        rows.reserveCapacity((width + 1) * picture.size.height)
        for row in stride(from: 0, to: straight.count, by: width) {
            rows.append(1)
            for place in row..<row + width {
                rows.append(
                    place < row + 4 ? straight[place] : straight[place] &- straight[place - 4])
            }
        }
        return rows
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
        var count = compressBound(uLong(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(count))
        let code = unsafe compress2(&result, &count, bytes, uLong(bytes.count), 1)
        // The bound is enough; what else there is to fail for is memory.
        guard code == Z_OK else { return nil }
        result.removeLast(result.count - Int(count))
        return result
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        let sum = unsafe crc32(0, body, uInt(body.count))
        return big(data.count) + body + big(Int(sum))
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
