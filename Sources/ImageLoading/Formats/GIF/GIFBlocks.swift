/// The data of a GIF's picture, which come in blocks of at most 255 bytes.
struct GIFBlocks {
    private let file: PictureFile
    private var window: FileWindow
    private var left = 0
    private var isOver = false

    /// The blocks that begin where the window is.
    init(of file: PictureFile, _ window: FileWindow) {
        self.file = file
        self.window = window
    }

    /// The next byte, or nil after the last block or at the end of the file.
    mutating func next() throws(PictureError.Reason) -> UInt8? {
        if left == 0 {
            guard !isOver, let length = try window.byte(of: file), length > 0 else {
                isOver = true
                return nil
            }
            left = Int(length)
        }
        left -= 1
        return try window.byte(of: file)
    }
}
