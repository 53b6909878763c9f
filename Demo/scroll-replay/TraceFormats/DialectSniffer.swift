import LullTesting

/// Detects the dialect of a recording by its content.
enum DialectSniffer {
    /// The number of bytes of a file that are examined.
    static let reach = 64 * 1024

    /// Returns the dialect of a recording that begins with `bytes`; nil if it is none of the known
    /// ones.
    static func dialect(of bytes: [UInt8]) -> TraceDialect? {
        var hasTimes = false
        for line in bytes.split(separator: 0x0A) {
            let line = Array(line)
            if let dialect = dialect(ofLine: line) { return dialect }
            if isStamped(line) {
                hasTimes = true
                continue
            }
            let first = line.first { !ByteScanner.isBlank($0) }
            if first == UInt8(ascii: "{") { return jsonDialect(of: bytes) ?? .own }
            if first == UInt8(ascii: "[") { return jsonDialect(of: bytes) }
        }
        return hasTimes ? .getevent : nil
    }

    /// Returns the dialect of a line of text; nil if the line is ambiguous, or JSON.
    static func dialect(ofLine line: [UInt8]) -> TraceDialect? {
        var scanner = ByteScanner(line)
        scanner.skipBlanks()
        let start = scanner
        func begins(_ text: String) -> Bool {
            var scanner = start
            return scanner.take(text)
        }
        if begins("# EVEMU") || begins("E: ") { return .evemu }
        if begins("# libinput record") || begins("- evdev:") || begins("ndevices:") {
            return .libinputRecord
        }
        if begins("add device ") { return .getevent }
        if scanner.take("- [") { return .libinputRecord }
        if isStamped(line) {
            _ = scanner.skip(past: "]")
            scanner.skipBlanks()
            let isEvent = scanner.take("/dev/") || scanner.take("EV_")
            return isEvent || scanner.integer(radix: 16) != nil ? .getevent : nil
        }
        var untimed = GeteventLines()
        do {
            _ = try untimed.read(line)
        } catch {
            if error.expected != TraceDialect.getevent.example { return .getevent }
        }
        return nil
    }

    /// Returns whether a line begins with a time in brackets.
    private static func isStamped(_ line: [UInt8]) -> Bool {
        var scanner = ByteScanner(line)
        scanner.skipBlanks()
        guard scanner.take("[") else { return false }
        scanner.skipBlanks()
        return scanner.billionths() != nil && scanner.take("]")
    }

    /// Returns the dialect of JSON that begins with `bytes`, by the names in its first objects.
    private static func jsonDialect(of bytes: [UInt8]) -> TraceDialect? {
        let items = JSONItems(
            keeping: ["data", "events", "traceEvents"],
            streams: ["data", "events", "traceEvents"])
        guard var parser = JSONParser(items) else { return nil }
        // Errors are reported later, by the reader of the dialect.
        try? parser.parse(bytes)
        let names = items.firstNames
        if names.contains("phase") { return .own }
        if !names.isDisjoint(with: ["traceEvents", "ph", "metadata", "displayTimeUnit"]) {
            return .chrome
        }
        if !names.isDisjoint(with: ["timestamp", "window_id"])
            || names.isSuperset(of: ["type", "data"])
        {
            return .rrweb
        }
        return nil
    }
}
