/// A scanner that reads words and numbers of a line, one after the other.
struct ByteScanner {
    /// The line.
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte, or nil at the end of the line.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    mutating func skipBlanks() {
        while let byte = next, Self.isBlank(byte) { position += 1 }
    }

    /// Consumes `text` if it is next, and returns whether it was.
    mutating func take(_ text: String) -> Bool {
        var index = position
        for byte in text.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        position = index
        return true
    }

    /// Consumes everything up to and including `text`, if the rest of the line contains it.
    mutating func skip(past text: String) -> Bool {
        let start = position
        while position < bytes.count {
            if take(text) { return true }
            position += 1
        }
        position = start
        return false
    }

    /// Consumes and returns the bytes up to the next blank or one of `ends`.
    mutating func word(endingAt ends: String = "") -> [UInt8] {
        let start = position
        while let byte = next, !Self.isBlank(byte), !ends.utf8.contains(byte) { position += 1 }
        return Array(bytes[start..<position])
    }

    /// Consumes a whole number with an optional sign; returns nil, and consumes nothing, if none is
    /// next.
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

    /// Consumes a decimal number, in billionths; returns nil if none is next, or it is above 9 ×
    /// 10⁹.
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
