import Glibc
import ImageLoading

extension PixelSize {
    /// A target size that no test picture is larger than.
    static let ample = PixelSize(width: 10_000, height: 10_000)
}

extension Picture {
    /// Red, green, blue and alpha of a pixel.
    subscript(x: Int, y: Int) -> SIMD4<Int> {
        let start = 4 * (y * size.width + x)
        return SIMD4((0..<4).map { Int(pixels[start + $0]) })
    }

    /// The pixels in the middle of the four quarters.
    var quarters: [SIMD4<Int>] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { self[size.width * $0 / 4, size.height * $1 / 4] }
    }

    /// The largest difference of two values at the same place.
    func difference(to other: Picture) -> Int {
        guard size == other.size else { return 256 }
        return zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    /// The picture shrunk by the definition of an area average, with no thought of speed.
    func boxFiltered(to target: PixelSize) -> Picture {
        var result: [UInt8] = []
        let total = size.width * size.height
        let columns = (0..<target.width).map {
            Self.weights($0, of: target.width, over: size.width)
        }
        for y in 0..<target.height {
            let rows = Self.weights(y, of: target.height, over: size.height)
            for columns in columns {
                var sum = SIMD4<Int>.zero
                for (row, height) in rows {
                    for (column, width) in columns { sum &+= self[column, row] &* (width * height) }
                }
                for lane in 0..<4 { result.append(UInt8((2 * sum[lane] + total) / (2 * total))) }
            }
        }
        return Picture(size: target, pixels: result)
    }

    /// Which source pixels lie under a target pixel, and how much of each.
    private static func weights(_ index: Int, of targets: Int, over sources: Int) -> [(Int, Int)] {
        (0..<sources).compactMap { source in
            let start = max(source * targets, index * sources)
            let end = min((source + 1) * targets, (index + 1) * sources)
            return end > start ? (source, end - start) : nil
        }
    }
}

/// Decodes bytes as a file of that content would be.
func decode(
    _ bytes: [UInt8], fitting targetSize: PixelSize = .ample,
    limits: PictureLimits = PictureLimits()
) throws(PictureError) -> Picture {
    let file = TemporaryFile(bytes)
    return try withExtendedLifetime(file) { () throws(PictureError) in
        try PictureJob(.file(file.path), fitting: targetSize, limits: limits).decode()
    }
}

/// Why bytes are no sound picture, or nil if they are.
func failure(_ bytes: [UInt8], limits: PictureLimits = PictureLimits()) -> PictureError.Reason? {
    do throws(PictureError) {
        _ = try PictureJob(
            .bytes(bytes), named: "", fitting: .ample, limits: limits,
            options: .strict
        ).decode()
        return nil
    } catch {
        return error.reason
    }
}

extension Picture {
    /// The peak signal-to-noise ratio of the colours, in decibels: how near two pictures are.
    func ratio(to other: Picture) -> Double {
        var sum = 0
        for index in pixels.indices where index % 4 != 3 {
            let difference = Int(pixels[index]) - Int(other.pixels[index])
            sum += difference * difference
        }
        let mean = Double(sum) / Double(3 * size.width * size.height)
        return 10 * log10(255 * 255 / mean)
    }

    /// The picture turned by EXIF's table of what row 0 and column 0 of the stored pixels are to
    /// the eye.
    func upright(from orientation: PictureOrientation) -> Picture {
        let (width, height) = (size.width, size.height)
        let isSideways = [5, 6, 7, 8].contains(orientation.rawValue)
        let target =
            isSideways ? PixelSize(width: height, height: width) : size
        var result = [UInt8](repeating: 0, count: pixels.count)
        for row in 0..<height {
            for column in 0..<width {
                let (right, bottom) = (width - 1 - column, height - 1 - row)
                let (x, y) =
                    switch orientation.rawValue {
                    case 1: (column, row)  // row 0 at the top, column 0 at the left
                    case 2: (right, row)  // top, right
                    case 3: (right, bottom)  // bottom, right
                    case 4: (column, bottom)  // bottom, left
                    case 5: (row, column)  // left, top
                    case 6: (bottom, column)  // right, top
                    case 7: (bottom, right)  // right, bottom
                    default: (row, right)  // left, bottom
                    }
                for byte in 0..<4 {
                    result[4 * (y * target.width + x) + byte] =
                        pixels[4 * (row * width + column) + byte]
                }
            }
        }
        return Picture(size: target, pixels: result)
    }
}

extension PictureJob.Options {
    /// Options by which a damaged file gives no picture.
    static var strict: Self {
        var options = Self()
        options.showsDamaged = false
        return options
    }

    /// Options by which nothing is shown before the picture is done.
    static var withoutPreviews: Self {
        var options = Self()
        options.givesPreviews = false
        return options
    }
}
