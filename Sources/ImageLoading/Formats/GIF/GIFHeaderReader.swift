/// Finds the size of a GIF at its start, or, where that says nothing, with its first frame.
enum GIFHeaderReader {
    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        var window = FileWindow()
        var frame = try GIFFrame(screenOf: file, &window)
        if frame.canvas.width == 0 || frame.canvas.height == 0 {
            try frame.readFrame(of: file, &window)
        }
        return PictureHeader(
            format: .gif, size: frame.canvas, fileBytes: file.byteCount, channels: 1,
            bytesPerSample: 1)
    }
}
