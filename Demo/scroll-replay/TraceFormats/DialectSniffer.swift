import LullTesting
import ReplayText

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

    /// Returns the error for JSON in another form than one object a line; nil if `bytes` aren't the
    /// beginning of such a document.
    static func documentError(_ bytes: [UInt8]) -> FormatError? {
        let text = bytes.drop { ByteScanner.isBlank($0) || $0 == 0x0A }
        let end = text.firstIndex(of: 0x0A) ?? text.endIndex
        let isArray = text.first == UInt8(ascii: "[")
        let items = JSONItems(keeping: [], streams: [])
        guard isArray || text.first == UInt8(ascii: "{"), var parser = JSONParser(items) else {
            return nil
        }
        let isLine: Bool
        do {
            try parser.parse(Array(text[..<end]))
            isLine = !items.isOpen || end == text.endIndex
            try parser.parse(Array(text[end...]))
        } catch {
            return nil
        }
        let names = items.firstNames
        let isTrace = names.contains("t") && names.contains("phase")
        guard !isLine || isArray && isTrace else { return nil }
        guard !isTrace else {
            return FormatError(
                found: isArray ? "a scroll trace as an array" : "a scroll trace over several lines",
                expected: "one object a line, as jq -c '\(isArray ? ".[]" : ".")' prints it")
        }
        let members = names.prefix(6).map { quoted(Array($0.utf8)) }.joined(separator: ", ")
        return FormatError(
            found: "a JSON \(isArray ? "array" : "document") over several lines"
                + (members.isEmpty ? "" : " with the members \(members)")
                + (names.count > 6 ? " and others" : ""),
            expected: TraceDialect.examples)
    }

    /// Returns the dialect of JSON that begins with `bytes`, by the names in its first objects.
    private static func jsonDialect(of bytes: [UInt8]) -> TraceDialect? {
        let items = JSONItems(
            keeping: ["data", "events", "traceEvents"],
            streams: ["data", "events", "traceEvents"])
        guard var parser = JSONParser(items) else { return nil }
        // Errors are reported later, by the reader of the dialect.
        try? parser.parse(bytes)
        let names = Set(items.firstNames)
        if names.contains("phase") { return .own }
        // The metadata that come first in a profile of DevTools may be longer than what is examined.
        if items.firstNames.first == "metadata"
            || !names.isDisjoint(with: ["traceEvents", "ph", "displayTimeUnit"])
        {
            return .chrome
        }
        if names.contains("window_id") || names.isSuperset(of: ["type", "timestamp"])
            || names.isSuperset(of: ["type", "data"])
        {
            return .rrweb
        }
        return nil
    }
}
