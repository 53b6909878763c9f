/// Integers encoded as a short text: Base64 digits of five bits each, as in source maps.
///
/// A number's sign is its lowest bit, a digit of 32 or more means that another follows, and −15 to
/// 15 take one character. Values that grow steadily are stored as differences, which are small.
struct VariableLength {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private var bytes: [UInt8] = []

    /// The text so far.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Adds a number.
    mutating func append(_ value: Int) {
        var rest = UInt64(value.magnitude) << 1 | (value < 0 ? 1 : 0)
        repeat {
            let digit = Int(rest & 31)
            rest >>= 5
            bytes.append(Self.digits[rest > 0 ? digit | 32 : digit])
        } while rest > 0
    }

    /// Returns the numbers as a text.
    static func text(of values: some Sequence<Int>) -> String {
        var text = VariableLength()
        for value in values { text.append(value) }
        return text.text
    }

    /// Returns the numbers' differences, the first from 0, as a text.
    static func text(ofSteps values: some Sequence<Int>) -> String {
        var text = VariableLength()
        var previous = 0
        for value in values {
            text.append(value - previous)
            previous = value
        }
        return text.text
    }
}
