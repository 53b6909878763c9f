/// A reader of an ICC profile from a file, a part in each step.
///
/// A part that can't be read is left out, which makes the profile invalid.
struct ProfileReader {
    /// The number of bytes that a step reads, or decompresses.
    private static let length = 1 << 16

    private var pieces: [Range<Int>]
    private var inflater: Inflater?
    private(set) var bytes: [UInt8] = []

    init(_ pieces: [Range<Int>], isPacked: Bool) {
        self.pieces = pieces.reversed()
        inflater = isPacked ? Inflater() : nil
    }

    /// Reads the next part; returns whether the profile is complete.
    mutating func step(_ file: PictureFile) -> Bool {
        guard bytes.count <= ColorProfile.maxLength else { return true }
        if let inflater, inflater.hasMore {
            inflater.unpack(Self.length, to: &bytes)
            return false
        }
        guard let piece = pieces.popLast() else { return true }
        let part = piece.prefix(Self.length)
        guard let found = try? file.bytes(at: part.lowerBound, count: part.count) else {
            return true
        }
        if part.count < piece.count { pieces.append(piece.dropFirst(part.count)) }
        if let inflater {
            inflater.feed(found)
        } else {
            bytes += found
        }
        return false
    }
}
