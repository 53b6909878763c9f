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
}
