import CPictureEncoders
import Glibc

/// Encoded pictures of colours that change from pixel to pixel.
enum Sample {
    private static func rows(_ width: Int, _ height: Int, channels: Int) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(width * height * channels)
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<channels {
                    rows.append(UInt8(truncatingIfNeeded: 5 * x + 3 * y * (channel + 1) + 17))
                }
            }
        }
        return rows
    }

    static func jpeg(_ width: Int, _ height: Int, progressive: Bool = false) -> [UInt8] {
        var layout = JPEGLayout()
        layout.width = Int32(width)
        layout.height = Int32(height)
        layout.channels = 3
        layout.progressive = progressive
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode_jpeg(rows(width, height, channels: 3), layout, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// A JPEG with an ICC profile.
    static func jpeg(_ width: Int, _ height: Int, _ kind: TestProfile) -> [UInt8] {
        var profile: UnsafeMutablePointer<UInt8>?
        let count = unsafe make_profile(kind, &profile)
        defer { unsafe free(profile) }
        let length = 16 + count
        let head =
            [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + Array("ICC_PROFILE".utf8)
            + [0, 1, 1]
        let plain = jpeg(width, height)
        return unsafe plain[..<2] + head + UnsafeBufferPointer(start: profile, count: count)
            + plain[2...]
    }

    static func png(_ width: Int, _ height: Int, interlaced: Bool = false) -> [UInt8] {
        var layout = PNGLayout()
        layout.width = Int32(width)
        layout.height = Int32(height)
        layout.color_type = 6
        layout.bit_depth = 8
        layout.interlaced = interlaced
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode_png(rows(width, height, channels: 4), layout, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// A JPEG that says it is of another size.
    static func claiming(_ width: Int, _ height: Int, _ jpeg: [UInt8]) -> [UInt8] {
        var bytes = jpeg
        let frame = bytes.indices.dropLast(8).first {
            bytes[$0] == 0xFF && [0xC0, 0xC1, 0xC2].contains(bytes[$0 + 1])
        }!
        bytes.replaceSubrange(
            frame + 5..<frame + 9,
            with: [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) })
        return bytes
    }
}
