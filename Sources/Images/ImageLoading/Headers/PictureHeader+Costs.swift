extension PictureHeader {
    /// The approximate peak memory of decoding to a thumbnail, in bytes, without the result.
    ///
    /// Most pictures are decoded row by row and need a few rows, however many they have. Some have
    /// passes over the whole picture, which is kept until the last: those belong on a worker, as
    /// freeing so much memory at once takes milliseconds.
    public var estimatedMemory: Int {
        let product = size.width.multipliedReportingOverflow(by: size.height)
        guard !product.overflow, product.partialValue < 1 << 50 else { return .max }
        let (pixels, row) = (product.partialValue, 4 * size.width)
        let kept =
            switch format.memory {
            // Two bytes each; cameras store both chroma components at a quarter of the resolution.
            case .coefficients: pixels * (channels == 3 ? 3 : 2 * channels)
            case .rows(let count): count * row * bytesPerSample
            case .fileAndRows(let count): fileBytes + count * row
            case .pixels(let bytes): bytes * pixels
            }
        // In addition, the memory of the decoders and of the pieces of the file.
        return kept + 1 << 19
    }

    /// The approximate time of decoding to a thumbnail, all slices together, on one fast machine.
    ///
    /// A source learns from its own pictures how long they take on the machine that it runs on.
    public func estimatedTime(fitting targetSize: PixelSize) -> Duration {
        DecodingCosts().estimate(self, fitting: targetSize)
    }

    /// Returns the nanoseconds that decoding the pixels takes on that machine.
    func decodingCost(fitting targetSize: PixelSize) -> Double {
        let pixels = Double(size.width) * Double(size.height)
        switch format.cost {
        case .fileBytes(let rate): return rate * Double(fileBytes)
        case .scaledFileBytes(let rate):
            let eighths = eighths(filling: size.fitted(in: targetSize))
            return rate * Double(fileBytes) * (1 + 0.6 * Double(eighths - 1) / 7)
        case .rawBytes(let rate):
            // A flat picture, such as a screenshot, takes 2.4 where a photo takes 6.6.
            let raw = pixels * Double(channels * bytesPerSample)
            let detail = min(1, 4 * Double(fileBytes) / max(1, raw))
            return rate * raw * (2.4 + 4.2 * detail) / 6.6
        case .pixels(let rate): return rate * pixels
        }
    }

    /// Returns the least number of eighths at which a JPEG is at least as large as a size.
    private func eighths(filling target: PixelSize) -> Int {
        (1..<8).first { eighths in
            (size.width * eighths + 7) / 8 >= target.width
                && (size.height * eighths + 7) / 8 >= target.height
        } ?? 8
    }
}
