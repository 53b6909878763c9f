/// An encoder of base64 (RFC 4648), with padding.
enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the base64 text of some bytes: four characters for each three bytes.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        let whole = bytes.count / 3 * 3
        for place in stride(from: 0, to: whole, by: 3) {
            let group =
                Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
            text.append(digits[group >> 18])
            text.append(digits[group >> 12 & 63])
            text.append(digits[group >> 6 & 63])
            text.append(digits[group & 63])
        }
        switch bytes.count - whole {
        case 1:
            let group = Int(bytes[whole]) << 4
            text += [digits[group >> 6], digits[group & 63], 0x3D, 0x3D]
        case 2:
            let group = Int(bytes[whole]) << 10 | Int(bytes[whole + 1]) << 2
            text += [digits[group >> 12], digits[group >> 6 & 63], digits[group & 63], 0x3D]
        default: break
        }
        return text
    }
}
