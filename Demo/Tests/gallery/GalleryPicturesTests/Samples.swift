import CPictureEncoders
import Glibc
import ImageLoading
import LullTesting
import TestSupport

extension Picture {
    /// Soft shades, much like a photo's background.
    static func shades(_ width: Int, _ height: Int, alpha: UInt8 = 255) -> Picture {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(4 * width * height)
        for y in 0..<height {
            for x in 0..<width {
                let red = UInt8(x * Int(alpha) / width)
                let green = UInt8(y * Int(alpha) / height)
                pixels += [red, green, alpha / 2, alpha]
            }
        }
        return Picture(size: PixelSize(width: width, height: height), pixels: pixels)
    }

    /// Noise, which nothing packs well; opaque, or of one alpha.
    static func noise(_ width: Int, _ height: Int, alpha: UInt8 = 255) -> Picture {
        var random = SeededGenerator(seed: UInt64(width))
        var pixels: [UInt8] = []
        pixels.reserveCapacity(4 * width * height)
        for _ in 0..<width * height {
            let bits = random.next()
            for shift in [0, 8, 16] as [UInt64] {
                let value = UInt16(truncatingIfNeeded: bits >> shift) & 255
                pixels.append(UInt8(value * UInt16(alpha) / 255))
            }
            pixels.append(alpha)
        }
        return Picture(size: PixelSize(width: width, height: height), pixels: pixels)
    }

    func jpeg(quality: Int = 90) throws -> [UInt8] {
        var encoder = try JPEGEncoder(self, quality: quality)
        var file: [UInt8] = []
        while try !encoder.step(into: &file) {}
        return file
    }

    func png() throws -> [UInt8] {
        var encoder = try PNGEncoder(self)
        var file: [UInt8] = []
        while !encoder.step(into: &file) {}
        return file
    }

    /// What can't be decoded in short slices.
    func losslessWebP() -> [UInt8] {
        let layout = WebPLayout(
            width: Int32(size.width), height: Int32(size.height), lossless: true, quality: 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode_webp(Array(pixels), layout, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The peak signal-to-noise ratio of all values, in decibels: how near two pictures are.
    func ratio(to other: Picture) -> Double {
        guard size == other.size else { return 0 }
        var sum = 0
        for (one, another) in zip(pixels, other.pixels) {
            let difference = Int(one) - Int(another)
            sum += difference * difference
        }
        return 10 * log10(255 * 255 * Double(pixels.count) / Double(sum))
    }
}

/// What a file shows.
func decoded(_ bytes: [UInt8]) throws -> Picture {
    let ample = PixelSize(width: 10_000, height: 10_000)
    return try PictureJob(.bytes(bytes), named: "", fitting: ample).decode()
}
