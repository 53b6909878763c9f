/// A 64-bit number as sixteen hexadecimal digits, for addresses and logs.
package enum HexNumber {
    /// The number of digits.
    package static let digitCount = 16

    /// Returns the digits of a number.
    package static func text(_ value: UInt64) -> String {
        var digits: [UInt8] = []
        append(value, to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the digits of a random number.
    package static func random() -> String { text(.random(in: 0 ... .max)) }

    /// Appends the digits of a number.
    package static func append(_ value: UInt64, to digits: inout [UInt8]) {
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 0xf
            digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Returns the number that `append` wrote; nil for anything else, including capitals and signs.
    package static func value(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard digits.count == digitCount else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            value = value << 4 | UInt64(digit)
        }
        return value
    }
}
