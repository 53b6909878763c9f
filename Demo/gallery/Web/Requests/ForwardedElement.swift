/// One proxy's statement in a `Forwarded` header (RFC 7239).
struct ForwardedElement: Equatable {
    /// The values by their parameters' names, in lower case.
    var values: [String: String] = [:]

    /// Parses the elements of a header in their order; nil unless all of it is well-formed.
    ///
    /// A client that begins a quoted text for a proxy to continue makes the whole header invalid.
    static func parse(_ header: [UInt8]) -> [ForwardedElement]? {
        var rest = header[...]
        var elements = [ForwardedElement()]
        skipBlanks(&rest)
        while !rest.isEmpty {
            guard let name = token(&rest), rest.popFirst() == UInt8(ascii: "="),
                let value = rest.first == UInt8(ascii: "\"") ? quoted(&rest) : token(&rest),
                elements[elements.count - 1].values.updateValue(value, forKey: name.lowercased())
                    == nil
            else { return nil }
            skipBlanks(&rest)
            guard let separator = rest.popFirst() else { return elements }
            switch separator {
            case UInt8(ascii: ";"): break
            case UInt8(ascii: ","): elements.append(ForwardedElement())
            default: return nil
            }
            skipBlanks(&rest)
            if rest.isEmpty { return nil }
        }
        return nil
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Takes the letters, digits and signs of a token, and the colons that addresses often have
    /// without quotes.
    private static func token(_ rest: inout ArraySlice<UInt8>) -> String? {
        let word = rest.prefix { RequestField.isName([$0]) || $0 == UInt8(ascii: ":") }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String? {
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escaped)
            default: text.append(byte)
            }
        }
        return nil
    }
}
