import CSandbox
import Glibc

/// The bytes that go through the socket at once: a fixed count of whole numbers, then text.
///
/// The numbers are little-endian. Which they are is told by `HelperRequest` and `HelperReply`;
/// nothing that came from a helper is believed before it has been checked there.
struct Message: Equatable {
    /// The number of numbers of each message.
    static let numberCount = 12
    /// The most bytes of text.
    static let textCapacity = 200
    /// A message is always so long.
    static let length = 8 * numberCount + textCapacity

    /// The numbers; those beyond the last that was given are zero.
    private(set) var numbers: [Int64]
    /// The text's bytes, which may be anything.
    private(set) var text: [UInt8]

    init(_ numbers: [Int64], text: some Sequence<UInt8> = []) {
        precondition(numbers.count < Self.numberCount, "a message has one number for its text")
        let padding = [Int64](repeating: 0, count: Self.numberCount - 1 - numbers.count)
        self.numbers = numbers + padding
        self.text = Array(text.prefix(Self.textCapacity))
    }

    /// A message that has come; nil if it hasn't the length of one.
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
