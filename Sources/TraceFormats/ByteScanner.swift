/// Reads words and numbers of a line, one after the other.
struct ByteScanner {
    /// The line.
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The byte that comes next.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether nothing but blanks is left.
    var isAtEnd: Bool { bytes[position...].allSatisfy(Self.isBlank) }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    mutating func skipBlanks() {
        while let byte = next, Self.isBlank(byte) { position += 1 }
    }

    /// Passes a text if it stands here.
    mutating func take(_ text: String) -> Bool {
        var index = position
        for byte in text.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        position = index
        return true
    }

    /// Passes everything up to a text and the text itself, if it stands anywhere in the rest.
    mutating func skip(past text: String) -> Bool {
        let start = position
        while position < bytes.count {
            if take(text) { return true }
            position += 1
        }
        position = start
        return false
    }

    /// The bytes up to the next blank, or to one of `ends`.
    mutating func word(endingAt ends: String = "") -> [UInt8] {
        let start = position
        while let byte = next, !Self.isBlank(byte), !ends.utf8.contains(byte) { position += 1 }
        return Array(bytes[start..<position])
    }

    /// A whole number with an optional sign; nil, and nothing passed, if none stands here.
    mutating func integer(radix: Int64 = 10) -> Int64? {
        let start = position
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        var value: Int64 = 0
        let first = position
        while let byte = next, let digit = Self.digit(byte), digit < radix {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: radix)
            let (sum, isTooLargeToo) = product.addingReportingOverflow(digit)
            guard !isTooLarge, !isTooLargeToo else {
                position = start
                return nil
            }
            value = sum
            position += 1
        }
        guard position > first else {
            position = start
            return nil
        }
        return isNegative ? -value : value
    }

    /// A number with decimals, in billionths; nil if none stands here, or one past 9 thousand million.
    mutating func billionths() -> Int64? {
        let isNegative = next == UInt8(ascii: "-")
        guard let whole = integer(), abs(whole) <= 9_000_000_000 else { return nil }
        var value = abs(whole) * 1_000_000_000
        if take(".") {
            var unit: Int64 = 100_000_000
            while let byte = next, let digit = Self.digit(byte), digit < 10 {
                value += digit * unit
                unit /= 10
                position += 1
            }
        }
        return isNegative ? -value : value
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int64(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int64(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
