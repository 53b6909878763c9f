/// A 64-bit number as sixteen hexadecimal digits, for addresses and logs.
package enum HexNumber {
    /// Returns the digits of a number.
    package static func text(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// Returns the digits of a random number.
    package static func random() -> String { text(.random(in: 0 ... .max)) }

    /// Returns the number of a ``text(_:)``; nil for anything else, including capitals and signs.
    package static func value(_ digits: some StringProtocol) -> UInt64? {
        let isPlain = digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        return isPlain && digits.utf8.count == 16 ? UInt64(digits, radix: 16) : nil
    }
}
