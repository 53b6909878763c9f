extension PictureHeader {
    /// The bytes that decoding to a thumbnail holds at its height, besides the result, roughly.
    ///
    /// Most pictures come row by row and need some rows, however many they have. Some come in
    /// passes over the whole picture, which is kept until the last: those belong on a worker, for
    /// freeing so much at once takes milliseconds.
    public var estimatedMemory: Int {
        let pixels = size.width.multipliedReportingOverflow(by: size.height)
        guard !pixels.overflow, pixels.partialValue < 1 << 50 else { return .max }
        // What the decoders and the pieces of the file take.
        return (1 << 19) + kept(pixels.partialValue, row: 4 * size.width)
    }

    private func kept(_ pixels: Int, row: Int) -> Int {
        switch format {
        case .jpeg(progressive: true): coefficientBytes(pixels)
        case .jpeg(progressive: false): 16 * row
        case .png(interlaced: true), .webp(lossless: true): 4 * pixels
        // If it is interlaced, which the header does not say.
        case .gif: pixels
        case .png(interlaced: false): 2 * row * bytesPerSample
        case .webp(lossless: false): fileBytes + 32 * row
        }
    }

    /// Two bytes each; cameras store the two colours of a pixel at a quarter of the places.
    private func coefficientBytes(_ pixels: Int) -> Int {
        channels == 3 ? 3 * pixels : 2 * channels * pixels
    }
}
