internal import Logging

/// A line of a log under construction, as bytes.
///
/// It has 4,096 bytes at most, which a pipe accepts completely or not at all. A longer line is
/// truncated and ends in `…`.
struct LogLine {
    static let limit = 4096

    private var bytes: [UInt8] = []

    /// The line with its line break.
    var whole: [UInt8] {
        guard bytes.count >= Self.limit else { return bytes + [UInt8(ascii: "\n")] }
        let end = Array("…\n".utf8)
        var kept = bytes.prefix(Self.limit - end.count + 1)
        // The last byte is removed, with the rest of its character.
        while let last = kept.popLast(), UTF8.isContinuation(last) {}
        return kept + end
    }

    /// Appends text that needs no escaping.
    mutating func append(_ text: String) {
        bytes += text.utf8
    }

    /// Appends any text, with unprintable characters escaped.
    mutating func append(escaping text: String) {
        bytes += EscapedText(Array(text.utf8)).bytes
    }

    /// Appends a name and its value, in quotes if its end would be ambiguous.
    mutating func append(_ key: String, _ value: Logger.MetadataValue) {
        append(" \(Self.legal(key))=")
        let text = EscapedText(Self.bytes(of: value))
        if text.isPlain {
            bytes += text.bytes
        } else {
            bytes += [UInt8(ascii: "\"")] + text.quotable + [UInt8(ascii: "\"")]
        }
    }

    /// Returns a name without the characters that would end it.
    private static func legal(_ key: String) -> String {
        let isLegal = { (scalar: Unicode.Scalar) in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "_-.".unicodeScalars.contains(scalar)
        }
        let scalars = key.unicodeScalars.map { isLegal($0) ? $0 : "_" }
        return String(String.UnicodeScalarView(scalars.prefix(64)))
    }

    /// Returns a value as text, with dictionaries sorted by key.
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
