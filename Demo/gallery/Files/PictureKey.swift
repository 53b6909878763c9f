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
        let bytes = Array(text.utf8)
        let middle = HexNumber.digitCount
        guard bytes.count > middle, bytes[middle] == UInt8(ascii: "-"),
            let id = HexNumber.value(bytes[..<middle]),
            let stamp = HexNumber.value(bytes[(middle + 1)...])
        else { return nil }
        self.init(id: PictureID(id), stamp: stamp)
    }

    /// The number and the stamp, as `0123456789abcdef-0123456789abcdef`.
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
