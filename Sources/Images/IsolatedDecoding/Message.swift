import CLullSandbox
import LullLibC

/// A message of fixed length: a fixed number of integers, then text.
///
/// The integers are little-endian. `HelperRequest` and `HelperReply` define their meaning, and
/// validate whatever comes from a helper.
struct Message: Equatable {
    /// The number of integers in each message.
    static let numberCount = 12
    /// The maximum length of the text in bytes.
    static let textCapacity = 200
    /// The length of every message in bytes.
    static let length = 8 * numberCount + textCapacity

    /// The integers; those that weren't given are zero.
    private(set) var numbers: [Int64]
    /// The bytes of the text, which may be invalid UTF-8.
    private(set) var text: [UInt8]

    init(_ numbers: [Int64], text: some Sequence<UInt8> = []) {
        precondition(numbers.count < Self.numberCount, "a message has one number for its text")
        let padding = [Int64](repeating: 0, count: Self.numberCount - 1 - numbers.count)
        self.numbers = numbers + padding
        self.text = Array(text.prefix(Self.textCapacity))
    }

    /// Parses received bytes; nil if they are malformed.
    init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.length else { return nil }
        let all = (0..<Self.numberCount).map { index in
            (0..<8).reduce(Int64(0)) { $0 | Int64(bytes[8 * index + $1]) << (8 * $1) }
        }
        guard let textCount = all.last, (0...Self.textCapacity).contains(Int(textCount)) else {
            return nil
        }
        numbers = Array(all.dropLast())
        text = Array(bytes[(8 * Self.numberCount)...].prefix(Int(textCount)))
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        for number in numbers + [Int64(text.count)] {
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        bytes += text
        bytes += [UInt8](repeating: 0, count: Self.length - bytes.count)
        return bytes
    }
}
