import CPictureEncoders
import Glibc
import ImageLoading

/// A picture that tests encode and expect back: four plain quarters, and a soft shade over all.
struct Sample {
    let size: PixelSize

    init(_ width: Int, _ height: Int) { size = PixelSize(width: width, height: height) }

    static let quarters: [SIMD4<Int>] = [
        [200, 30, 30, 255], [30, 180, 40, 200], [40, 60, 210, 120], [220, 220, 200, 0],
    ]

    /// Straight (not premultiplied) red, green, blue and alpha of a pixel.
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Int> {
        let quarter = (2 * y >= size.height ? 2 : 0) + (2 * x >= size.width ? 1 : 0)
        let shade = 20 * x / size.width + 15 * y / size.height
        var pixel = Self.quarters[quarter]
        for channel in 0..<3 { pixel[channel] += shade }
        return pixel
    }

    /// One value of each pixel after the other, as `values` tells them from the pixel.
    func rows(_ values: (SIMD4<Int>) -> [Int]) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                for value in values(pixel(x, y)) { rows.append(UInt8(value)) }
            }
        }
        return rows
    }

    /// What a decoder should make of pixels that were stored as they are.
    func picture(hasAlpha: Bool) -> Picture {
        let pixels = rows { pixel in
            let alpha = hasAlpha ? pixel[3] : 255
            return (0..<3).map { (pixel[$0] * alpha + 127) / 255 } + [alpha]
        }
        return Picture(size: size, pixels: pixels)
    }

    /// What a decoder should make of the green values as shades of grey.
    var greyPicture: Picture {
        Picture(size: size, pixels: rows { [$0[1], $0[1], $0[1], 255] })
    }

    // MARK: Encoded

    func jpeg(
        progressive: Bool = false, separate: Bool = false, arithmetic: Bool = false,
        restartRows: Int32 = 0
    ) -> [UInt8] {
        jpeg(
            rows { [$0[0], $0[1], $0[2]] }, 3, progressive: progressive, separate: separate,
            arithmetic: arithmetic, restartRows: restartRows)
    }

    func greyJPEG() -> [UInt8] { jpeg(rows { [$0[1]] }, 1) }

    /// Inks, stored inverted as Adobe's programs do; with black where there is least of light.
    func inkJPEG(ycck: Bool) -> [UInt8] {
        let inks = rows { pixel in
            let black = max(pixel[0], pixel[1], pixel[2])
            return (0..<3).map { 255 * pixel[$0] / black } + [black]
        }
        return jpeg(inks, 4, ycck: ycck)
    }

    func rgbPNG() -> [UInt8] { png(rows { [$0[0], $0[1], $0[2]] }, type: 2) }

    func rgbaPNG(interlaced: Bool = false) -> [UInt8] {
        png(rows { [$0[0], $0[1], $0[2], $0[3]] }, type: 6, interlaced: interlaced)
    }

    func webp(lossless: Bool = false, hasAlpha: Bool = false) -> [UInt8] {
        webp(rows { [$0[0], $0[1], $0[2], hasAlpha ? $0[3] : 255] }, lossless: lossless)
    }

    /// Values v with 16 bits, as v × 257.
    func deepPNG() -> [UInt8] {
        png(rows { pixel in (0..<4).flatMap { [pixel[$0], pixel[$0]] } }, type: 6, depth: 16)
    }

    func jpeg(
        _ rows: [UInt8], _ channels: Int32, progressive: Bool = false, separate: Bool = false,
        arithmetic: Bool = false, ycck: Bool = false, restartRows: Int32 = 0
    ) -> [UInt8] {
        let layout = JPEGLayout(
            width: Int32(size.width), height: Int32(size.height), channels: channels,
            progressive: progressive, separate: separate, arithmetic: arithmetic, ycck: ycck,
            restart_rows: restartRows)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode_jpeg(rows, layout, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    func png(
        _ rows: [UInt8], type: Int32, depth: Int32 = 8, interlaced: Bool = false,
        hasTransparent: Bool = false
    ) -> [UInt8] {
        let layout = PNGLayout(
            width: Int32(size.width), height: Int32(size.height), color_type: type,
            bit_depth: depth, interlaced: interlaced, has_transparent: hasTransparent)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode_png(rows, layout, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    func webp(_ rows: [UInt8], lossless: Bool = false) -> [UInt8] {
        let layout = WebPLayout(
            width: Int32(size.width), height: Int32(size.height), lossless: lossless, quality: 95)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode_webp(rows, layout, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
