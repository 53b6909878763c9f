/// The outline of a JSON text of which the beginning is at hand: what it is, and which members its
/// first objects have.
struct JSONOutline {
    /// Whether the text is an array, not an object.
    let isArray: Bool
    /// Whether the first value ends in the text's first line.
    private(set) var isLine = false
    /// The names of the members of objects at the top, or in an array at the top, in their order.
    private(set) var names: [String] = []

    private enum Sign {
        static let quote = UInt8(ascii: "\"")
        static let escape = UInt8(ascii: "\\")
        static let object = UInt8(ascii: "{")
        static let array = UInt8(ascii: "[")
    }

    /// Creates the outline of a text; nil if it is no beginning of an array or an object.
    init?(_ text: ArraySlice<UInt8>) {
        guard let first = text.first, first == Sign.object || first == Sign.array else {
            return nil
        }
        isArray = first == Sign.array
        var open: [UInt8] = []
        var last: UInt8?
        var isInFirstLine = true
        var isFirstValue = true
        var place = text.startIndex
        while place < text.endIndex {
            let byte = text[place]
            switch byte {
            case 0x20, 0x09, 0x0D: break
            case 0x0A: isInFirstLine = false
            case Sign.object, Sign.array:
                guard last.map({ ":,[}".utf8.contains($0) }) ?? true else { return nil }
                open.append(byte)
                last = byte
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The codes of a bracket and of the one that closes it differ by 2.
                guard open.popLast() == byte - 2 else { return nil }
                if open.isEmpty {
                    if isFirstValue { isLine = isInFirstLine }
                    isFirstValue = false
                }
                last = byte
            case Sign.quote:
                let start = place + 1
                place = Self.end(ofTextFrom: start, in: text)
                if last != UInt8(ascii: ":"),
                    open == [Sign.object] || open == [Sign.array, Sign.object]
                {
                    note(text[start..<place])
                }
                last = Sign.quote
            default:
                guard "truefalsn0123456789+-.Ee:,".utf8.contains(byte) else { return nil }
                last = byte
            }
            place += 1
        }
        if isFirstValue { isLine = isInFirstLine }
    }

    /// Returns the place of the quotation mark that ends a text, or the end.
    private static func end(ofTextFrom start: Int, in text: ArraySlice<UInt8>) -> Int {
        var place = start
        while place < text.endIndex, text[place] != Sign.quote {
            place += text[place] == Sign.escape ? 2 : 1
        }
        return min(place, text.endIndex)
    }

    private mutating func note(_ name: ArraySlice<UInt8>) {
        let name = String(decoding: name.prefix(64), as: UTF8.self)
        if names.count < 64, !names.contains(name) { names.append(name) }
    }
}
