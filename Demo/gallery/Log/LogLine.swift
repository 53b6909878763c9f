internal import Logging

/// A line of a log while it's put together, as bytes.
///
/// It has 4,096 of them at most, which is what a pipe takes whole or not at all. A longer one is cut
/// and ends in `…`.
struct LogLine {
    static let limit = 4096

    private var bytes: [UInt8] = []

    /// The line, and its end.
    var whole: [UInt8] {
        guard bytes.count >= Self.limit else { return bytes + [UInt8(ascii: "\n")] }
        let end = Array("…\n".utf8)
        var kept = bytes.prefix(Self.limit - end.count + 1)
        // The last byte goes, with what is left of a character that it was in.
        while let last = kept.popLast(), UTF8.isContinuation(last) {}
        return kept + end
    }

    /// Adds what needs no escaping.
    mutating func append(_ text: String) {
        bytes += text.utf8
    }

    /// Adds text that may be anything, with what isn't printed escaped.
    mutating func append(escaping text: String) {
        bytes += EscapedText(Array(text.utf8)).bytes
    }

    /// Adds a name and its value, in quotes if its end couldn't be told otherwise.
    mutating func append(_ key: String, _ value: Logger.MetadataValue) {
        append(" \(Self.legal(key))=")
        let text = EscapedText(Self.bytes(of: value))
        if text.isPlain {
            bytes += text.bytes
        } else {
            bytes += [UInt8(ascii: "\"")] + text.quotable + [UInt8(ascii: "\"")]
        }
    }

    /// A name without what would end it.
    private static func legal(_ key: String) -> String {
        let isLegal = { (scalar: Unicode.Scalar) in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "_-.".unicodeScalars.contains(scalar)
        }
        let scalars = key.unicodeScalars.map { isLegal($0) ? $0 : "_" }
        return String(String.UnicodeScalarView(scalars.prefix(64)))
    }

    /// A value as text, the keys of dictionaries in order.
    private static func bytes(of value: Logger.MetadataValue) -> [UInt8] {
        switch value {
        case .string(let text): return Array(text.utf8)
        case .stringConvertible(let bytes as LogBytes): return bytes.bytes
        case .stringConvertible(let value): return Array("\(value)".utf8)
        case .array(let values): return list(values.map(bytes))
        case .dictionary(let values):
            let sorted = values.sorted { $0.key < $1.key }
            return list(sorted.map { Array("\($0.key): ".utf8) + bytes(of: $0.value) })
        }
    }

    private static func list(_ parts: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + parts.joined(separator: Array(", ".utf8)) + [UInt8(ascii: "]")]
    }
}
