/// Text whose every character is visible: unprintable characters and invalid UTF-8 are escaped.
struct EscapedText {
    /// The text, of ASCII and printable characters.
    private(set) var bytes: [UInt8] = []
    /// Whether it needs no quotes: it isn't empty, and contains no escapes, separators of words, or
    /// separators of names and values.
    private(set) var isPlain: Bool

    /// Creates the text of these bytes, of which only as many as fit in a line are read.
    init(_ source: [UInt8]) {
        isPlain = !source.isEmpty
        var parser = Unicode.UTF8.ForwardParser()
        let source = source.prefix(LogLine.limit)
        var (input, position) = (source.makeIterator(), 0)
        while true {
            switch parser.parseScalar(from: &input) {
            case .emptyInput: return
            case .valid(let encoded):
                position += encoded.count
                append(UTF8.decode(encoded))
            case .error(let length):
                for byte in source[position..<position + length] { escape("\\x", byte) }
                position += length
            }
        }
    }

    /// The text with quotes escaped.
    var quotable: [UInt8] {
        bytes.flatMap { $0 == UInt8(ascii: "\"") ? Array("\\\"".utf8) : [$0] }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\n": escape("\\n")
        case "\r": escape("\\r")
        case "\t": escape("\\t")
        case "\\": escape("\\\\")
        case " ", "=", "\"":
            isPlain = false
            bytes.append(UInt8(scalar.value))
        case "!"..."~": bytes.append(UInt8(scalar.value))
        default:
            switch scalar.properties.generalCategory {
            case .control where scalar.isASCII: escape("\\x", UInt8(scalar.value))
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned:
                escape("\\u{\(String(scalar.value, radix: 16))}")
            default: bytes += String(scalar).utf8
            }
        }
    }

    private mutating func escape(_ start: String, _ byte: UInt8) {
        escape(start + (byte < 16 ? "0" : "") + String(byte, radix: 16))
    }

    private mutating func escape(_ text: String) {
        isPlain = false
        bytes += text.utf8
    }
}
