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
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, text.utf8.allSatisfy(Self.isDigit),
            let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// 32 hexadecimal digits.
    public var text: String { high.hexadecimal + low.hexadecimal }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension UInt64 {
    /// Sixteen digits.
    var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
