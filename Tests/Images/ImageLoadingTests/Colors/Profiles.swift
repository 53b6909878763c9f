import CPictureEncoders
import CLullZlib
import Glibc
import ImageLoading

extension TestProfile {
    /// The profile's file.
    var bytes: [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe make_profile(self, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// What Little CMS makes of values of 8 bits, by its longest way.
    func converted(_ values: [Int]) -> SIMD4<Int> {
        let (profile, values) = (bytes, values.map { Double($0) / 255 })
        var result = [0.0, 0, 0]
        unsafe convert_values(profile, profile.count, values, Int32(values.count), &result)
        let pixel = result.map { Int((min(max($0, 0), 1) * 255).rounded()) }
        return [pixel[0], pixel[1], pixel[2], 255]
    }
}

/// Puts ICC profiles, and other words of colours, into files that have none.
enum Tagged {
    /// A JPEG with a profile in parts of at most so many bytes.
    static func jpeg(_ bytes: [UInt8], _ profile: [UInt8], part: Int = 60_000) -> [UInt8] {
        let starts = Array(stride(from: 0, to: profile.count, by: part))
        let segments = starts.enumerated().flatMap { index, start in
            let piece = profile[start..<min(start + part, profile.count)]
            let length = 2 + 14 + piece.count
            return [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)]
                + Array("ICC_PROFILE".utf8) + [0, UInt8(index + 1), UInt8(starts.count)] + piece
        }
        return Array(bytes[..<2]) + segments + bytes[2...]
    }

    /// A PNG with chunks between its first and its second.
    static func png(_ bytes: [UInt8], _ chunks: [UInt8]) -> [UInt8] {
        Array(bytes[..<33]) + chunks + bytes[33...]
    }

    static func png(_ bytes: [UInt8], profile: [UInt8]) -> [UInt8] {
        png(bytes, Hostile.chunk("iCCP", Array("test".utf8) + [0, 0] + packed(profile)))
    }

    /// A WebP with a profile, of a still one without.
    static func webP(_ still: [UInt8], of size: PixelSize, profile: [UInt8]) -> [UInt8] {
        webPFile(
            webPCanvas(size, flags: 0x30) + webPChunk("ICCP", profile) + webPImageData(still))
    }

    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        _ = unsafe compress2(&packed, &count, bytes, uLong(bytes.count), 9)
        return Array(packed[..<Int(count)])
    }
}
