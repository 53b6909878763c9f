/// A version of a picture, which changes when its file is written or replaced.
///
/// Results derived from a picture are cached by this key, and so are never shown for another
/// version.
public struct PictureKey: Hashable, Sendable {
    /// The number of the picture.
    public let id: PictureID
    /// The version of its file; see ``FileFacts/stamp``.
    public let stamp: UInt64

    /// Creates the key of a picture with this stamp.
    public init(id: PictureID, stamp: UInt64) {
        self.id = id
        self.stamp = stamp
    }

    /// Parses a `text`; nil for any other text.
    public init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = HexNumber.value(parts[0]),
            let stamp = HexNumber.value(parts[1])
        else { return nil }
        self.init(id: PictureID(id), stamp: stamp)
    }

    /// The number and the stamp, as `0123456789abcdef-0123456789abcdef`.
    public var text: String { "\(HexNumber.text(id.value))-\(HexNumber.text(stamp))" }
}

extension FileFacts {
    /// A number that distinguishes versions of the file of a name.
    public var stamp: UInt64 {
        var hash = FNVHash()
        hash.combine(UInt64(bitPattern: modified))
        hash.combine(UInt64(bitPattern: changed))
        hash.combine(UInt64(byteCount))
        hash.combine(inode)
        return hash.value
    }
}
