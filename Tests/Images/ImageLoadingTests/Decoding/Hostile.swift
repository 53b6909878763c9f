import CLullZlib
import Glibc

/// Makes the pictures that are meant to do harm: small files that claim, or unfold to, far too much.
enum Hostile {
    // MARK: PNG

    /// A PNG of so many bits, all zero, compressed as far as they go; it ends after some rows.
    static func flatPNG(_ width: Int, _ height: Int, rows: Int) -> [UInt8] {
        signature + header(width, height, 1, 0)
            + chunk("IDAT", deflated(zeros: ((width + 7) / 8 + 1) * rows)) + chunk("IEND", [])
    }

    /// A colour profile that unfolds to so many bytes.
    static func profileBomb(unfolding count: Int) -> [UInt8] {
        chunk("iCCP", Array("bomb".utf8) + [0, 0] + deflated(zeros: count))
    }

    /// A text that unfolds to so many bytes.
    static func textBomb(unfolding count: Int) -> [UInt8] {
        chunk("zTXt", Array("Comment".utf8) + [0, 0] + deflated(zeros: count))
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func header(_ width: Int, _ height: Int, _ depth: Int, _ type: Int) -> [UInt8] {
        chunk("IHDR", big(width) + big(height) + [UInt8(depth), UInt8(type), 0, 0, 0])
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        let sum = unsafe crc32(0, body, UInt32(body.count))
        return big(data.count) + body + big(Int(sum))
    }

    private static func big(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// A zlib stream of that many zeros, made a mebibyte at a time.
    static func deflated(zeros count: Int) -> [UInt8] {
        let piece = 1 << 20
        let zeros = [UInt8](repeating: 0, count: piece)
        var output = [UInt8](repeating: 0, count: piece)
        var result: [UInt8] = []
        var stream = unsafe z_stream()
        unsafe deflateInit_(
            &stream, 9, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        var left = count
        unsafe zeros.withUnsafeBufferPointer { zeros in
            unsafe output.withUnsafeMutableBufferPointer { output in
                repeat {
                    let taken = min(left, piece)
                    left -= taken
                    unsafe stream.next_in = UnsafeMutablePointer(mutating: zeros.baseAddress)
                    unsafe stream.avail_in = UInt32(taken)
                    repeat {
                        unsafe stream.next_out = output.baseAddress
                        unsafe stream.avail_out = UInt32(piece)
                        _ = unsafe deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH)
                        let made = unsafe piece - Int(stream.avail_out)
                        unsafe result.append(contentsOf: output.prefix(made))
                    } while unsafe stream.avail_out == 0
                } while left > 0
            }
        }
        unsafe deflateEnd(&stream)
        return result
    }

    // MARK: JPEG

    /// A progressive JPEG with its last scan again and again.
    static func manyScans(_ bytes: [UInt8], times: Int) -> [UInt8] {
        let scan = bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }!
        let last = bytes[scan..<bytes.count - 2]
        var result = Array(bytes.dropLast(2))
        for _ in 0..<times { result += last }
        return result + bytes.suffix(2)
    }

    // MARK: GIF

    /// A GIF of one pixel, whose screen says nothing of its size, behind these extensions.
    static func gif(extensions: [[UInt8]]) -> [UInt8] {
        Array("GIF89a".utf8) + [0, 0, 0, 0, 0, 0, 0] + extensions.joined()
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0, 0x3B]
    }
}
