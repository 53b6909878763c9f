/// A reader of an ICC profile from a file, a part in each step.
///
/// A part that can't be read is left out, which makes the profile invalid.
struct ProfileReader {
    /// The number of bytes that a step reads, or decompresses.
    private static let length = 1 << 16

    private var pieces: [Range<Int>]
    private let inflater: ZlibStream?
    /// The compressed bytes, as far as they may give more output, and the position of the next one.
    private var packed: (bytes: [UInt8], position: Int)?
    private(set) var bytes: [UInt8] = []

    init(_ pieces: [Range<Int>], isPacked: Bool) {
        inflater = isPacked ? try? ZlibStream(.inflating) : nil
        self.pieces = isPacked && inflater == nil ? [] : pieces.reversed()
    }

    /// Reads the next part; returns whether the profile is complete.
    mutating func step(_ file: PictureFile) -> Bool {
        guard bytes.count <= ColorProfile.maxLength else { return true }
        if let inflater, var input = packed.take() {
            let hasMore = inflater.process(
                input.bytes, from: &input.position, room: Self.length, to: &bytes)
            if hasMore { packed = input }
            return false
        }
        guard let piece = pieces.popLast() else { return true }
        let part = piece.prefix(Self.length)
        guard let found = try? file.bytes(at: part.lowerBound, count: part.count) else {
            return true
        }
        if part.count < piece.count { pieces.append(piece.dropFirst(part.count)) }
        if inflater == nil {
            bytes += found
        } else {
            packed = (found, 0)
        }
        return false
    }
}
