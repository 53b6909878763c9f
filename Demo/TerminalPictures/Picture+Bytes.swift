public import ImageLoading

extension Picture {
    /// Returns red, green and blue of each pixel over a background colour, row by row.
    ///
    /// - Parameter ground: The background colour where the picture is transparent.
    /// - Returns: Three bytes for each pixel.
    public func opaqueBytes(over ground: TerminalColor) -> [UInt8] {
        let grounds = [Int(ground.red), Int(ground.green), Int(ground.blue)]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pixels.count / 4 * 3)
        for place in stride(from: 0, to: pixels.count, by: 4) {
            let clear = 255 - Int(pixels[place + 3])
            for channel in 0..<3 {
                let light = Int(pixels[place + channel]) + (clear * grounds[channel] + 127) / 255
                bytes.append(UInt8(min(255, light)))
            }
        }
        return bytes
    }

    /// The components red, green, blue and alpha of each pixel, without premultiplied alpha.
    public var straightBytes: [UInt8] {
        var bytes = pixels
        for place in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[place + 3])
            guard alpha > 0, alpha < 255 else { continue }
            for channel in place..<place + 3 {
                bytes[channel] = UInt8(min(255, (Int(bytes[channel]) * 255 + alpha / 2) / alpha))
            }
        }
        return bytes
    }

    /// Whether all pixels are opaque.
    var isOpaque: Bool {
        stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
    }
}
