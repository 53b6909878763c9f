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
}
