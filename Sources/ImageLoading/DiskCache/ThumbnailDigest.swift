/// The name of an entry in as few bytes as it has.
struct ThumbnailDigest: Hashable, Comparable {
    private static let suffix = ".png"

    let high: UInt64
    let low: UInt64

    /// The digest in a name of 32 small hexadecimal digits and `.png`; nil for any other name.
    init?(ofEntry name: String) {
        guard name.utf8.count == 36, name.hasSuffix(Self.suffix) else { return nil }
        let digits = name.utf8.prefix(32)
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let high = UInt64(String(Substring(digits.prefix(16))), radix: 16),
            let low = UInt64(String(Substring(digits.suffix(16))), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
    }

    var entryName: String { Self.digits(of: high) + Self.digits(of: low) + Self.suffix }

    static func < (one: ThumbnailDigest, other: ThumbnailDigest) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }

    private static func digits(of number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
