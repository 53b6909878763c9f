/// A picture as it was at one time: another once its file is written to or replaced.
///
/// What was made of a picture is kept by this, and so is never shown for another.
public struct PictureKey: Hashable, Sendable {
    /// Which picture.
    public let id: PictureID
    /// As which file; see ``FileFacts/stamp``.
    public let stamp: UInt64

    /// A picture as it was with this stamp.
    public init(id: PictureID, stamp: UInt64) {
        self.id = id
        self.stamp = stamp
    }

    /// What `text` gave; nil for any other text.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = PictureID(text: parts[0]),
            let stamp = HexNumber.value(parts[1])
        else { return nil }
        self.init(id: id, stamp: stamp)
    }

    /// As `0123456789abcdef-0123456789abcdef`: number and stamp.
    public var text: String { id.text + "-" + HexNumber.text(stamp) }
}

extension FileFacts {
    /// A number that tells a file from what its name stood for before, or will.
    public var stamp: UInt64 {
        var hash = FNVHash()
        hash.combine(UInt64(bitPattern: modified))
        hash.combine(UInt64(byteCount))
        hash.combine(inode)
        return hash.value
    }
}
