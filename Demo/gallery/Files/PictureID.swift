/// The number of a picture, derived from its path and therefore the same after a restart.
public struct PictureID: Hashable, Sendable {
    /// The number.
    public let value: UInt64

    /// Creates an identifier from its number.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// Creates the number of a path; two paths may have the same.
    public init(of path: FilePath) {
        var hash = FNVHash()
        for byte in path.bytes { hash.combine(byte) }
        value = hash.value
    }

    /// Parses a `text`; nil for any other text.
    public init?(text: String) {
        guard let value = HexNumber.value(text) else { return nil }
        self.value = value
    }

    /// The number as sixteen hexadecimal digits.
    public var text: String { HexNumber.text(value) }
}
