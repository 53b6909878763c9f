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
    public init?(text: String) {
        let bytes = Array(text.utf8)
        let middle = HexNumber.digitCount
        guard bytes.count > middle, bytes[middle] == UInt8(ascii: "-"),
            let id = HexNumber.value(bytes[..<middle]),
            let stamp = HexNumber.value(bytes[(middle + 1)...])
        else { return nil }
        self.init(id: PictureID(id), stamp: stamp)
    }

    /// As `0123456789abcdef-0123456789abcdef`: number and stamp.
    public var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * HexNumber.digitCount + 1)
        HexNumber.append(id.value, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        HexNumber.append(stamp, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
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
