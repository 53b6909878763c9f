/// A reader of variable-width codes from a GIF's data, which are in blocks of at most 255 bytes.
struct GIFBlocks {
    /// The number of bytes that are read at once.
    private static let pieceLength = 4096

    private var window: FileWindow
    private var isOver = false
    /// The data read so far and not used, without the lengths of the blocks, and four bytes more.
    private var bytes = [UInt8](repeating: 0, count: 4)
    /// The index of the next bit in the data.
    private var position = 0

    /// Creates a reader of the blocks that begin at the window's position.
    init(_ window: FileWindow) { self.window = window }

    /// Returns the next code of `bits` bits, at most 16; nil if fewer have been read.
    mutating func next(_ bits: Int) -> Int? {
        guard position + bits <= 8 * (bytes.count - 4) else { return nil }
        let word = unsafe bytes.span.bytes.unsafeLoadUnaligned(
            fromByteOffset: position >> 3, as: UInt32.self)
        let number = UInt32(littleEndian: word) >> UInt32(position & 7)
        position += bits
        return Int(number) & (1 << bits - 1)
    }

    /// Reads more if fewer bits are available; returns whether there are `count` bits now.
    mutating func hasBits(_ count: Int) throws(PictureError.Reason) -> Bool {
        if position + count <= 8 * (bytes.count - 4) { return true }
        bytes.removeLast(4)
        bytes.removeFirst(position >> 3)
        position &= 7
        while !isOver, bytes.count < Self.pieceLength {
            guard let length = try window.nextByte(), length > 0 else {
                isOver = true
                break
            }
            try window.append(Int(length), to: &bytes)
        }
        bytes.append(contentsOf: [0, 0, 0, 0])
        return position + count <= 8 * (bytes.count - 4)
    }
}
