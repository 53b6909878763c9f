/// The data of a GIF's picture, which come in blocks of at most 255 bytes, as numbers of some bits.
struct GIFBlocks {
    /// What is read at once, and room for the last number.
    private static let pieceLength = 4096

    private let file: PictureFile
    private var window: FileWindow
    private var isOver = false
    /// The data at hand, without the lengths of the blocks, and four bytes more.
    private var bytes = [UInt8](repeating: 0, count: 4)
    /// Where in the data the next bit is.
    private var position = 0

    /// The blocks that begin where the window is.
    init(of file: PictureFile, _ window: FileWindow) {
        self.file = file
        self.window = window
    }

    /// The next number of so many bits, at most 16; nil if there are not as many at hand.
    mutating func next(_ bits: Int) -> Int? {
        guard position + bits <= 8 * (bytes.count - 4) else { return nil }
        let word = unsafe bytes.span.bytes.unsafeLoadUnaligned(
            fromByteOffset: position >> 3, as: UInt32.self)
        let number = UInt32(littleEndian: word) >> UInt32(position & 7)
        position += bits
        return Int(number) & (1 << bits - 1)
    }

    /// Reads on if there are fewer bits at hand; returns whether there are as many now.
    mutating func hasBits(_ count: Int) throws(PictureError.Reason) -> Bool {
        if position + count <= 8 * (bytes.count - 4) { return true }
        bytes.removeLast(4)
        bytes.removeFirst(position >> 3)
        position &= 7
        while !isOver, bytes.count < Self.pieceLength {
            guard let length = try window.byte(of: file), length > 0 else {
                isOver = true
                break
            }
            try window.append(Int(length), of: file, to: &bytes)
        }
        bytes.append(contentsOf: [0, 0, 0, 0])
        return position + count <= 8 * (bytes.count - 4)
    }
}
