import LullLibC

/// The MD5 digest (RFC 1321), from which thumbnails are named.
///
/// It isn't used for security.
enum MD5 {
    private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
    private static let turns: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]

    /// Returns the digest as in the name of a thumbnail: 32 lowercase hexadecimal digits.
    static func hexadecimal(of message: [UInt8]) -> String {
        var state = SIMD4<UInt32>(0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
        let padded = padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            let words = (0..<16).map { word(padded, at: start + 4 * $0) }
            state &+= mixed(state, words)
        }
        return (0..<16).map { index in
            let byte = UInt8(truncatingIfNeeded: state[index / 4] >> UInt32(index % 4 * 8))
            return (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Returns the name of a file that is derived from a text.
    static func name(of text: String, suffix: String) -> String {
        hexadecimal(of: Array(text.utf8)) + suffix
    }

    /// Returns whether a name can be derived from a text.
    static func isName(_ name: String, suffix: String) -> Bool {
        let digits = name.utf8.dropLast(suffix.utf8.count)
        return digits.count == 32 && name.hasSuffix(suffix)
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Returns the message padded to blocks of 64 bytes, of which the last eight are its length in
    /// bits.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        let zeros = (119 - message.count % 64) % 64
        let length = UInt64(message.count) << 3
        return message + [0x80] + [UInt8](repeating: 0, count: zeros)
            + (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64($0 * 8)) }
    }

    private static func word(_ bytes: [UInt8], at index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32($1 * 8) }
    }

    private static func mixed(_ state: SIMD4<UInt32>, _ words: [UInt32]) -> SIMD4<UInt32> {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let round = step / 16
            let (mix, word) =
                switch round {
                case 0: ((b & c) | (~b & d), step)
                case 1: ((d & b) | (~d & c), 5 * step + 1)
                case 2: (b ^ c ^ d, 3 * step + 5)
                default: (c ^ (b | ~d), 7 * step)
                }
            let sum = a &+ mix &+ sines[step] &+ words[word % 16]
            let turn = turns[round][step % 4]
            (a, d, c) = (d, c, b)
            b &+= sum << turn | sum >> (32 - turn)
        }
        return SIMD4(a, b, c, d)
    }
}
