/// Bytes, read as the choices that a random program makes.
///
/// Everything in a program reads from the same ones, its callbacks too. When they are over, every
/// choice is the first one, which should do the least, so that each program ends.
public final class Choices {
    private let bytes: [UInt8]
    private var place = 0

    /// The bytes that libFuzzer gives.
    public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Any bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether all bytes were read.
    public var areOver: Bool { place == bytes.count }

    /// Returns the next byte, 0 when they are over.
    public func byte() -> UInt8 {
        guard place < bytes.count else { return 0 }
        defer { place += 1 }
        return bytes[place]
    }

    /// Returns a number from 0 up to `bound`, which is at most 256 and not included.
    public func number(below bound: Int) -> Int { Int(byte()) % bound }

    /// Returns one of `values`, of which there are at most 256.
    public func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }

    /// Returns whether something shall be, which it shall not when the bytes are over.
    public func flag() -> Bool { byte() & 1 == 1 }
}
