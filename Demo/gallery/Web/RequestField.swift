/// One header of a request, as it came.
struct RequestField {
    let name: [UInt8]
    let value: [UInt8]

    /// Whether the bytes are a name: letters, digits and some signs, at least one (RFC 9110, 5.6.2).
    static func isName(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isNameByte)
    }

    /// Whether the bytes can be a value: no control bytes but tabs.
    static func isValue(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case let digit where digit.isDigit: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
