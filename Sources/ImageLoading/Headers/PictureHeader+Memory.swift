extension PictureHeader {
    /// The bytes that decoding to a thumbnail holds at its height, besides the result, roughly.
    ///
    /// Most pictures come row by row and need some rows, however many they have. Some come in
    /// passes over the whole picture, which is kept until the last: those belong on a worker, for
    /// freeing so much at once takes milliseconds.
    public var estimatedMemory: Int {
        let pixels = size.width.multipliedReportingOverflow(by: size.height)
        guard !pixels.overflow, pixels.partialValue < 1 << 50 else { return .max }
        // For the decoders and the pieces of the file.
        return (1 << 19) + kept(pixels.partialValue, row: 4 * size.width)
    }

    private func kept(_ pixels: Int, row: Int) -> Int {
        switch format.memory {
        case .coefficients: coefficientBytes(pixels)
        case .rows(let count): count * row * bytesPerSample
        case .fileAndRows(let count): fileBytes + count * row
        case .pixels(let bytes): bytes * pixels
        }
    }

    /// Two bytes each; cameras store the two colours of a pixel at a quarter of the places.
    private func coefficientBytes(_ pixels: Int) -> Int {
        channels == 3 ? 3 * pixels : 2 * channels * pixels
    }
}
