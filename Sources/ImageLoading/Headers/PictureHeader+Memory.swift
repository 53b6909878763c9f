extension PictureHeader {
    /// The bytes that decoding to a thumbnail holds at its height, besides the result, roughly.
    ///
    /// Most pictures come row by row and need some rows, however many they have. Some come in
    /// passes over the whole picture, which is kept until the last: those belong on a worker, for
    /// freeing so much at once takes milliseconds.
    public var estimatedMemory: Int {
        let product = size.width.multipliedReportingOverflow(by: size.height)
        guard !product.overflow, product.partialValue < 1 << 50 else { return .max }
        let (pixels, row) = (product.partialValue, 4 * size.width)
        let kept =
            switch format.memory {
            // Two bytes each; cameras store the two colours of a pixel at a quarter of the places.
            case .coefficients: pixels * (channels == 3 ? 3 : 2 * channels)
            case .rows(let count): count * row * bytesPerSample
            case .fileAndRows(let count): fileBytes + count * row
            case .pixels(let bytes): bytes * pixels
            }
        // And what the decoders and the pieces of the file take.
        return kept + 1 << 19
    }
}
