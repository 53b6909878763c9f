/// The path and query of a request, decoded once.
///
/// Ambiguous targets are rejected rather than repaired: invalid escapes, escaped slashes,
/// components that are empty, `.` or `..`, control bytes, and invalid UTF-8.
struct RequestTarget: Equatable {
    /// The path, which begins with a slash.
    let path: String
    /// The first value of each name.
    let query: [String: String]

    init(_ bytes: [UInt8]) throws(WebRefusal) {
        guard bytes.first == UInt8(ascii: "/"),
            bytes.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") })
        else { throw .target }
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        path = try Self.path(bytes[..<end])
        query = end < bytes.count ? try Self.query(bytes[(end + 1)...]) : [:]
    }

    private static func path(_ bytes: ArraySlice<UInt8>) throws(WebRefusal) -> String {
        if bytes.count == 1 { return "/" }
        var start = bytes.startIndex + 1
        while start <= bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
            try check(bytes[start..<end])
            start = end + 1
        }
        return try decoded(bytes, plusIsBlank: false)
    }

    /// Validates a path component.
    private static func check(_ part: ArraySlice<UInt8>) throws(WebRefusal) {
        guard !part.isEmpty else { throw .target }
        // Dots and slashes may be escaped.
        guard part.first == UInt8(ascii: ".") || part.contains(UInt8(ascii: "%")) else { return }
        let text = try decoded(part, plusIsBlank: false)
        guard text != ".", text != "..", !text.utf8.contains(UInt8(ascii: "/")) else {
            throw .target
        }
    }

    private static func query(_ bytes: ArraySlice<UInt8>) throws(WebRefusal) -> [String: String] {
        var query: [String: String] = [:]
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.endIndex
            let pair = bytes[start..<end]
            start = end + 1
            guard !pair.isEmpty else { continue }
            let middle = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = try decoded(pair[..<middle], plusIsBlank: true)
            let value = try decoded(pair[middle...].dropFirst(), plusIsBlank: true)
            if query[name] == nil { query[name] = value }
        }
        return query
    }

    private static func decoded(
        _ bytes: ArraySlice<UInt8>, plusIsBlank: Bool
    ) throws(WebRefusal) -> String {
        // Most need no decoding, as they contain only letters and signs.
        let isPlain = bytes.allSatisfy {
            $0 != UInt8(ascii: "%") && !(plusIsBlank && $0 == UInt8(ascii: "+"))
        }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(hexDigit),
                    let low = rest.popFirst().flatMap(hexDigit)
                else { throw .target }
                plain.append(high << 4 | low)
            } else {
                plain.append(byte == UInt8(ascii: "+") && plusIsBlank ? UInt8(ascii: " ") : byte)
            }
        }
        guard plain.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }),
            let text = String(validating: plain, as: UTF8.self)
        else { throw .target }
        return text
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
