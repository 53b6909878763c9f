/// Finds the size and kind of a WebP in the chunks before its first picture.
enum WebPHeaderReader {
    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        let frame = try WebPFrame(of: file, range: 0..<file.byteCount)
        return PictureHeader(
            format: .webp(lossless: frame.isLossless),
            size: frame.canvas,
            fileBytes: file.byteCount,
            channels: frame.hasAlpha ? 4 : 3,
            bytesPerSample: 1)
    }
}
