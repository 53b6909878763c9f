/// A JSON value whose members keep their order.
///
/// Characters that would end or comment out a script in a page are escaped too.
package enum JSON {
    /// A number, as its text.
    case digits(String)
    case text(String)
    case flag(Bool)
    case list([JSON])
    case members([(String, JSON)])

    /// The null value.
    package static var null: JSON { .digits("null") }

    /// The JSON text.
    package var rendered: String { String(decoding: bytes, as: UTF8.self) }

    /// The JSON text in UTF-8.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Returns a number with six decimals.
    package static func six(_ value: Double) -> JSON { .digits(decimals(value, 6)) }

    /// Returns a whole number.
    package static func whole(_ value: Int) -> JSON { .integer(value) }

    /// Returns a whole number of any size.
    package static func integer(_ value: some BinaryInteger) -> JSON { .digits(String(value)) }

    /// Returns a duration as its whole nanoseconds.
    package static func nanoseconds(_ duration: Duration) -> JSON { .integer(duration.nanoseconds) }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .digits(let digits): bytes += digits.utf8
        case .text(let text): Self.quote(text, to: &bytes)
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .members(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.quote(member.0, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.1.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "<", ">", "&", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}",
                _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8
            case _ where scalar.isASCII: bytes.append(UInt8(scalar.value))
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
