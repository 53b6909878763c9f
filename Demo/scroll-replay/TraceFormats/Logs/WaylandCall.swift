/// A call by the compositor, as it is logged.
struct WaylandCall {
    struct Value {
        /// The number in billionths.
        let billionths: Int64
        var whole: Int64 { billionths / 1_000_000_000 }
        var real: Double { Double(billionths) / 1e9 }
        /// A time in ms, converted to nanoseconds.
        var milliseconds: Int64 { whole * 1_000_000 }
    }

    let object: String
    let name: String
    let values: [Value]

    /// Parses a call to a pointer or a touch; nil for any other line.
    init?(_ line: [UInt8]) {
        var scanner = ByteScanner(line)
        scanner.skipBlanks()
        guard scanner.take("[") else { return nil }
        scanner.skipBlanks()
        guard scanner.billionths() != nil, scanner.take("]") else { return nil }
        scanner.skipBlanks()
        if scanner.take("{") {
            guard scanner.skip(past: "}") else { return nil }
            scanner.skipBlanks()
        }
        object = String(decoding: scanner.word(endingAt: "@#"), as: UTF8.self)
        guard object == "wl_pointer" || object == "wl_touch", scanner.skip(past: ".") else {
            return nil
        }
        name = String(decoding: scanner.word(endingAt: "("), as: UTF8.self)
        var values: [Value] = []
        guard scanner.take("(") else {
            self.values = []
            return
        }
        while let next = scanner.next, next != UInt8(ascii: ")"), values.count < 16 {
            scanner.skipBlanks()
            values.append(Value(billionths: scanner.billionths() ?? 0))
            _ = scanner.word(endingAt: ",)")
            _ = scanner.take(",")
            scanner.skipBlanks()
        }
        self.values = scanner.next == UInt8(ascii: ")") ? values : []
    }
}
