import ScrollModel

/// The output of `libinput record`: YAML of which three forms of line are used, all in decimal.
///
/// ```text
/// - node: /dev/input/event5
///     absinfo:
///       54: [0, 479, 0, 0, 0]
///     properties: [1]
///     - [  0,  81209,   3,  54,     368]
/// ```
struct LibinputRecordLines: EvdevDialect {
    static let dialect = TraceDialect.libinputRecord

    private var device = -1

    mutating func read(_ line: [UInt8]) throws(FormatError) -> EvdevLine {
        var scanner = ByteScanner(line)
        scanner.skipBlanks()
        if scanner.take("- [") {
            guard let event = event(&scanner) else { throw FormatError(line, in: Self.dialect) }
            return .event(event, device: max(device, 0))
        }
        if scanner.take("- node:") {
            device += 1
            return .newDevice
        }
        if scanner.take("properties: ["), let numbers = list(&scanner),
            let surface = EvdevSurface(properties: numbers)
        {
            return .surface(surface, device: max(device, 0))
        }
        // An axis is a number, a colon and five numbers in brackets. No other line has this form.
        if let code = scanner.integer().flatMap(Int.init(exactly:)), scanner.take(": ["),
            let values = list(&scanner), values.count == 5
        {
            let axis = EvdevAxis(minimum: values[0], maximum: values[1], resolution: values[4])
            return .axis(axis, code: code, device: max(device, 0))
        }
        return .nothing
    }

    private func event(_ scanner: inout ByteScanner) -> EvdevEvent? {
        guard let values = list(&scanner), values.count == 5,
            (0...9_000_000_000).contains(values[0]), (0..<1_000_000).contains(values[1]),
            let value = Int32(exactly: values[4])
        else { return nil }
        return EvdevEvent(
            time: Instant(nanoseconds: values[0] * 1_000_000_000 + values[1] * 1000),
            type: Int(values[2]), code: Int(values[3]), value: value)
    }

    /// Parses numbers separated by commas, up to the bracket.
    private func list(_ scanner: inout ByteScanner) -> [Int64]? {
        var values: [Int64] = []
        while values.count < 8 {
            scanner.skipBlanks()
            guard let value = scanner.integer() else { return nil }
            values.append(value)
            scanner.skipBlanks()
            if scanner.take("]") { return values }
            guard scanner.take(",") else { return nil }
        }
        return nil
    }
}
