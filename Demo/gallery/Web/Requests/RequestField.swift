/// A header of a request, unmodified except that its name is in lower case.
struct RequestField {
    let name: [UInt8]
    let value: [UInt8]

    init(name: [UInt8], value: [UInt8]) {
        self.name = name.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        self.value = value
    }

    /// Returns whether it has this name, given in lower case.
    func isNamed(_ text: String) -> Bool {
        name.count == text.utf8.count && name.elementsEqual(text.utf8)
    }

    /// The value as text.
    var text: String { String(decoding: value, as: UTF8.self) }

    /// Returns whether the bytes are a valid name: letters, digits and some signs, at least one
    /// (RFC 9110, 5.6.2).
    static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isNameByte)
    }

    /// Returns whether the bytes are a valid value: no control bytes except tabs.
    static func isValue(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "-"):
            true
        case let digit where digit.isDigit: true
        default: "!#$%&'*+.^_`|~".utf8.contains(byte)
        }
    }
}
