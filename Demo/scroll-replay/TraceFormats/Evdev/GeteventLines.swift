import ScrollModel

/// The output of Android's `getevent` with `-t` or `-lt`, after that of `-p` or `-lp`.
///
/// ```text
/// add device 1: /dev/input/event5
///     ABS (0003): 0036  : value 0, min 0, max 2399, fuzz 0, flat 0, resolution 0
///   input props:
///     INPUT_PROP_DIRECT
/// [   53890.000001] /dev/input/event5: EV_ABS       ABS_MT_POSITION_Y    0000017b
/// [   53890.008301] 0003 0036 00000174
/// ```
struct GeteventLines: EvdevDialect {
    static let dialect = TraceDialect.getevent

    /// The limit of devices; further ones share the last number.
    private static let mostDevices = 64

    private var devices: [[UInt8]: Int] = [:]
    // State of the header: the device whose axes are listed, and the type of the codes.
    private var listed = 0
    private var isListingAxes = false

    mutating func read(_ line: [UInt8]) throws(FormatError) -> EvdevLine {
        var scanner = ByteScanner(line)
        scanner.skipBlanks()
        guard let first = scanner.next else { return .nothing }
        if scanner.take("[") {
            scanner.skipBlanks()
            if let time = scanner.billionths(), scanner.take("]"),
                let event = event(at: Instant(nanoseconds: time), &scanner)
            {
                return event
            }
            throw FormatError(line, in: Self.dialect)
        }
        if let header = header(line) { return header }
        if event(at: .zero, &scanner) != nil {
            throw FormatError(
                found: "an event without a time",
                expected: "what getevent -t or getevent -lt prints; record again with -t")
        }
        // A shell prompt or the echo of Control-C is often copied along with the output.
        if "$#^".utf8.contains(first) { return .nothing }
        throw FormatError(line, in: Self.dialect)
    }

    private mutating func number(of path: [UInt8]) -> Int {
        if let number = devices[path] { return number }
        let number = min(devices.count + 1, Self.mostDevices)
        if devices.count < Self.mostDevices { devices[path] = number }
        return number
    }

    private mutating func event(at time: Instant, _ scanner: inout ByteScanner) -> EvdevLine? {
        var device = 0
        scanner.skipBlanks()
        if scanner.next == UInt8(ascii: "/") {
            let path = scanner.word(endingAt: ":")
            guard scanner.take(":") else { return nil }
            device = number(of: path)
            scanner.skipBlanks()
        }
        let words = (0..<3).map { _ in
            defer { scanner.skipBlanks() }
            return scanner.word()
        }
        guard scanner.next == nil, let type = Self.hex(words[0], 4, Evdev.types),
            let code = Self.hex(words[1], 4, Evdev.codes[type] ?? [:], others: true),
            let value = Self.value(words[2], code: code)
        else { return nil }
        return .event(
            EvdevEvent(time: time, type: type, code: code, value: value), device: device)
    }

    /// Parses a number with `digits` hexadecimal digits, or a name that stands for one.
    private static func hex(
        _ word: [UInt8], _ digits: Int, _ names: [String: Int], others: Bool = false
    ) -> Int? {
        var scanner = ByteScanner(word)
        if word.count == digits, let value = scanner.integer(radix: 16), scanner.next == nil {
            return Int(value)
        }
        let name = String(decoding: word, as: UTF8.self)
        if let value = names[name] { return value }
        let prefixes = ["ABS_", "KEY_", "BTN_", "REL_", "SYN_", "MSC_", "SW_", "LED_", "SND_"]
        return others && prefixes.contains { name.hasPrefix($0) } ? Evdev.unknown : nil
    }

    private static func value(_ word: [UInt8], code: Int) -> Int32? {
        var scanner = ByteScanner(word)
        if word.count == 8, let value = scanner.integer(radix: 16), scanner.next == nil {
            return UInt32(exactly: value).map { Int32(bitPattern: $0) }
        }
        switch String(decoding: word, as: UTF8.self) {
        case "DOWN": return 1
        case "UP": return 0
        case "REPEAT": return 2
        case "MT_TOOL_PALM": return Evdev.palm
        case let name: return name.hasPrefix("MT_TOOL_") ? 0 : nil
        }
    }

    /// Parses a line of the header; returns nil for other lines.
    private mutating func header(_ line: [UInt8]) -> EvdevLine? {
        var scanner = ByteScanner(line)
        if scanner.take("add device ") {
            _ = scanner.skip(past: ": ")
            listed = number(of: scanner.word())
            isListingAxes = false
            return .nothing
        }
        if scanner.take("remove device ") || scanner.take("could not ") { return .nothing }
        guard ByteScanner.isBlank(line[0]) else { return nil }
        scanner.skipBlanks()
        if let surface = EvdevSurface(
            isPointer: scanner.take("INPUT_PROP_POINTER"),
            isDirect: scanner.take("INPUT_PROP_DIRECT"))
        {
            return .surface(surface, device: listed)
        }
        if scanner.take("ABS (0003): ") {
            isListingAxes = true
        } else if scanner.skip(past: "(") {
            isListingAxes = false
            return .nothing
        }
        scanner.skipBlanks()
        guard isListingAxes,
            let code = Self.hex(scanner.word(), 4, Evdev.codes[Evdev.abs] ?? [:], others: true),
            let minimum = Self.number(after: "min ", in: line),
            let maximum = Self.number(after: "max ", in: line)
        else { return line.contains(UInt8(ascii: ":")) || isWord(line) ? .nothing : nil }
        let resolution = Self.number(after: "resolution ", in: line) ?? 0
        let axis = EvdevAxis(minimum: minimum, maximum: maximum, resolution: resolution)
        return .axis(axis, code: code, device: listed)
    }

    private static func number(after name: String, in line: [UInt8]) -> Int64? {
        var scanner = ByteScanner(line)
        guard scanner.skip(past: name) else { return nil }
        return scanner.integer()
    }

    /// Returns whether a line is a list of names, such as properties or keys, and not an event.
    private func isWord(_ line: [UInt8]) -> Bool {
        var scanner = ByteScanner(line)
        var copy = self
        return copy.event(at: .zero, &scanner) == nil
    }
}
