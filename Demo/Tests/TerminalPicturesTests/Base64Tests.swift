import ReplayText
import TestSupport
import Testing

struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648 come out`(bytes: String, text: String) {
        #expect(String(decoding: Base64.encoded(Array(bytes.utf8)), as: UTF8.self) == text)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `all bytes come back`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        let bytes = (0..<Int.random(in: 0...200, using: &numbers)).map { _ in
            UInt8.random(in: 0...255, using: &numbers)
        }
        #expect(decoded(Base64.encoded(bytes)) == bytes)
    }
}

/// The bytes that a text of base 64 stands for; nil if it's none.
func decoded(_ text: [UInt8]) -> [UInt8]? {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var bits: [Bool] = []
    for digit in text.dropLast(padding) {
        guard let value = digits.firstIndex(of: digit) else { return nil }
        bits += (0..<6).map { value >> (5 - $0) & 1 == 1 }
    }
    return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { place in
        bits[place..<place + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
}
