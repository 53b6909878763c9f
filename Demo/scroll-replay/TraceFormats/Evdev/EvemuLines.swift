import ScrollModel

/// The output of `evemu-record`: type and code in hexadecimal, the value in decimal.
///
/// ```text
/// P: 02 00 00 00 00 00 00 00
/// A: 36 0 479 0 0 0
/// E: 0.000001 0003 0036 0379
/// ```
struct EvemuLines: EvdevDialect {
    static let dialect = TraceDialect.evemu

    mutating func read(_ line: [UInt8]) throws(FormatError) -> EvdevLine {
        var scanner = ByteScanner(line)
        scanner.skipBlanks()
        guard let first = scanner.next, first != UInt8(ascii: "#") else { return .nothing }
        if scanner.take("E:") {
            if let event = event(&scanner) { return .event(event, device: 0) }
        } else if scanner.take("A:") {
            if let axis = axis(&scanner) { return .axis(axis.axis, code: axis.code, device: 0) }
        } else if scanner.take("P:") {
            scanner.skipBlanks()
            guard let bits = scanner.integer(radix: 16),
                let surface = EvdevSurface(properties: [0, 1].filter { bits >> $0 & 1 == 1 })
            else { return .nothing }
            return .surface(surface, device: 0)
        } else if "NIBLSX".utf8.contains(first), line.contains(UInt8(ascii: ":")) {
            return .nothing
        }
        throw FormatError(line, in: Self.dialect)
    }

    private func event(_ scanner: inout ByteScanner) -> EvdevEvent? {
        scanner.skipBlanks()
        guard let time = scanner.billionths() else { return nil }
        scanner.skipBlanks()
        guard let type = scanner.integer(radix: 16).flatMap(Int.init(exactly:)) else { return nil }
        scanner.skipBlanks()
        guard let code = scanner.integer(radix: 16).flatMap(Int.init(exactly:)) else { return nil }
        scanner.skipBlanks()
        guard let value = scanner.integer().flatMap(Int32.init(exactly:)) else { return nil }
        scanner.skipBlanks()
        guard scanner.next == nil || scanner.next == UInt8(ascii: "#") else { return nil }
        return EvdevEvent(time: Instant(nanoseconds: time), type: type, code: code, value: value)
    }

    private func axis(_ scanner: inout ByteScanner) -> (axis: EvdevAxis, code: Int)? {
        scanner.skipBlanks()
        guard let code = scanner.integer(radix: 16).flatMap(Int.init(exactly:)) else { return nil }
        var values: [Int64] = []
        while values.count < 5 {
            scanner.skipBlanks()
            guard let value = scanner.integer() else { break }
            values.append(value)
        }
        guard values.count >= 2 else { return nil }
        let resolution = values.count > 4 ? values[4] : 0
        return (EvdevAxis(minimum: values[0], maximum: values[1], resolution: resolution), code)
    }
}
