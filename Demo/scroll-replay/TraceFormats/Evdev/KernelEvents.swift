import ScrollModel

/// Events as the kernel returns them: `struct input_event` of a 64-bit machine, 24 bytes each.
struct KernelEvents: EvdevDialect {
    static let dialect = TraceDialect.evdev
    static let size = 24

    mutating func read(_ bytes: [UInt8]) throws(FormatError) -> EvdevLine {
        guard bytes.count == Self.size else { return .nothing }
        let seconds = Int64(bitPattern: Self.word(bytes[0..<8]))
        let micros = Int64(bitPattern: Self.word(bytes[8..<16]))
        guard (0...9_000_000_000).contains(seconds), (0..<1_000_000).contains(micros) else {
            throw FormatError(
                found: "a time of \(seconds) s and \(micros) µs",
                expected: "events of a device, \(Self.size) bytes each")
        }
        return .event(
            EvdevEvent(
                time: Instant(nanoseconds: seconds * 1_000_000_000 + micros * 1000),
                type: Int(Self.word(bytes[16..<18])), code: Int(Self.word(bytes[18..<20])),
                value: Int32(truncatingIfNeeded: Self.word(bytes[20..<24]))), device: 0)
    }

    /// Returns a number in this machine's byte order.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        #if _endian(big)
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
        #else
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        #endif
    }
}
