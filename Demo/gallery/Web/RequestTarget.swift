/// The path and query of a request, decoded once.
///
/// What could be read in two ways is refused rather than repaired: escapes that aren't, escaped
/// slashes, parts that are empty, `.` or `..`, control bytes, and what isn't UTF-8.
struct RequestTarget: Equatable {
    /// Begins with a slash.
    let path: String
    /// The first value of each name.
    let query: [String: String]

    init(_ bytes: [UInt8]) throws(WebRefusal) {
        guard bytes.first == UInt8(ascii: "/"),
            bytes.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") })
        else { throw .target }
        let halves = bytes.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = try Self.path(halves[0])
        query = halves.count > 1 ? try Self.query(halves[1]) : [:]
    }

    private static func path(_ bytes: ArraySlice<UInt8>) throws(WebRefusal) -> String {
        if bytes.count == 1 { return "/" }
        let parts = bytes.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var path = ""
        for part in parts {
            let text = try decoded(part, plusIsBlank: false)
            guard !text.isEmpty, text != ".", text != "..", !text.utf8.contains(UInt8(ascii: "/"))
            else { throw .target }
            path += "/" + text
        }
        return path
    }

    private static func query(_ bytes: ArraySlice<UInt8>) throws(WebRefusal) -> [String: String] {
        var query: [String: String] = [:]
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try decoded(halves[0], plusIsBlank: true)
            let value = halves.count > 1 ? try decoded(halves[1], plusIsBlank: true) : ""
            if query[name] == nil { query[name] = value }
        }
        return query
    }

    private static func decoded(
        _ bytes: ArraySlice<UInt8>, plusIsBlank: Bool
    ) throws(WebRefusal) -> String {
        var plain: [UInt8] = []
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
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
