/// Sixty-four bits as sixteen hexadecimal digits, for addresses and logs.
enum HexNumber {
    static func text(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// What `text` wrote; nil for anything else, capitals and signs too: one number has one text.
    static func value(_ text: some StringProtocol) -> UInt64? {
        let digits = text.utf8
        guard digits.count == 16,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return UInt64(text, radix: 16)
    }
}
