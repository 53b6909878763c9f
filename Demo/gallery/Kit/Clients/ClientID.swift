internal import GalleryFiles

/// What a page calls itself by: 128 bits that nobody guesses.
public struct ClientID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Another one than all others.
    init() {
        var random = SystemRandomNumberGenerator()
        (high, low) = (random.next(), random.next())
    }

    /// The one that a text names; nil if it names none.
    init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count > HexNumber.digitCount,
            let high = HexNumber.value(digits[..<HexNumber.digitCount]),
            let low = HexNumber.value(digits[HexNumber.digitCount...])
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// 32 hexadecimal digits.
    public var text: String { HexNumber.text(high) + HexNumber.text(low) }
}
