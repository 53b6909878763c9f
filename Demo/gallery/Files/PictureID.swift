/// The number by which a picture is known: made of its path, so the same after a restart.
public struct PictureID: Hashable, Sendable {
    /// The number.
    public let value: UInt64

    /// This number.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// The number of a path; two paths may have the same.
    public init(of path: FilePath) {
        var hash = FNVHash()
        for byte in path.bytes { hash.combine(byte) }
        value = hash.value
    }

    /// What `text` gave; nil for any other text.
    public init?(text: String) {
        guard let value = HexNumber.value(Array(text.utf8)[...]) else { return nil }
        self.value = value
    }

    /// Sixteen hexadecimal digits.
    public var text: String { HexNumber.text(value) }
}
