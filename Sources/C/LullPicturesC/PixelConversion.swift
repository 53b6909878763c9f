internal import CLullPictures
internal import ImageLoading

/// The conversion of a picture's pixels to the format that C has chosen, some rows at a time.
struct PixelConversion {
    /// The number of bytes in a step, which takes 0.1 ms.
    private static let grain = 1 << 17

    private let picture: Picture
    private let format: lull_pixel_format
    private var pixels: PictureBuffer

    init(_ picture: Picture, to format: lull_pixel_format) {
        self.picture = picture
        self.format = format
        pixels = PictureBuffer(
            capacity: format == LULL_PIXELS_RGBA_PREMULTIPLIED ? 0 : picture.pixels.count)
    }

    /// Converts some pixels; returns the picture when it's complete.
    mutating func step() -> Picture? {
        guard format != LULL_PIXELS_RGBA_PREMULTIPLIED else { return picture }
        let (start, all) = (pixels.count, picture.pixels.count)
        let count = min(Self.grain, all - start)
        let given = picture.pixels
        let source = given.span
        let isStraight = format == LULL_PIXELS_RGBA
        pixels.append(addingCapacity: count) { output in
            for index in stride(from: start, to: start + count, by: 4) {
                let pixel = (source[index], source[index + 1], source[index + 2])
                let alpha = source[index + 3]
                if isStraight {
                    output.append(Self.straight(pixel.0, alpha))
                    output.append(Self.straight(pixel.1, alpha))
                    output.append(Self.straight(pixel.2, alpha))
                } else {
                    output.append(pixel.2)
                    output.append(pixel.1)
                    output.append(pixel.0)
                }
                output.append(alpha)
            }
        }
        guard pixels.count == all else { return nil }
        return Picture(size: picture.size, pixels: pixels, damage: picture.damage)
    }

    /// Converts all pixels.
    mutating func finish() -> Picture {
        while true {
            if let picture = step() { return picture }
        }
    }

    /// Returns a colour that isn't multiplied by alpha.
    private static func straight(_ color: UInt8, _ alpha: UInt8) -> UInt8 {
        guard alpha != 255, alpha != 0 else { return color }
        let alpha = Int(alpha)
        return UInt8(min(255, (Int(color) * 255 + alpha / 2) / alpha))
    }
}
