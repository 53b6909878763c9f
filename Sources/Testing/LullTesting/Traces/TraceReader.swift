internal import Foundation
internal import ScrollModel

extension Trace {
    /// Reads a trace of one JSON object a line.
    ///
    /// ```text
    /// {"t":0.0077,"y":760,"phase":"down"}        finger: down, move, up, cancel
    /// {"t":0.0167,"y":60000,"phase":"scroll"}    where the list is
    /// {"t":0.2,"y":1440,"dy":120,"phase":"wheel"}
    /// {"t":0.2,"y":60000,"key":"PageDown","phase":"key"}
    /// {"t":0.5,"target":0,"phase":"jump"}        the program scrolls there
    /// ```
    ///
    /// Times are seconds and never decrease; places are px from -1e12 to 1e12. Any line may also have
    /// the members "viewport", its height, and "hz", of the recording. Unknown members and empty lines
    /// are ignored. Throws if a line isn't of this form, with the file, the line, what was found and
    /// what was expected.
    public init(contentsOf file: String) throws(TraceError) {
        var reader = try FileLines(of: file, expected: "one JSON object a line")
        try self.init(
            of: file, name: Trace.name(of: file), limit: .max
        ) { () throws(TraceError) in try reader.next() }
    }

    /// Reads a trace of one JSON object a line, from a source of lines without line breaks.
    ///
    /// For a trace that isn't in a file of its own, such as one in memory:
    ///
    /// ```swift
    /// var lines = recorded.makeIterator()
    /// let trace = try Trace(of: "recording", name: "fling", limit: 10_000) { lines.next() }
    /// ```
    ///
    /// - Parameters:
    ///   - file: The name of the source in errors.
    ///   - name: The trace's name.
    ///   - limit: The most inputs and offsets that are kept.
    ///   - nextLine: Returns the next line; nil after the last.
    /// - Throws: as ``init(contentsOf:)``, and when the trace is longer than the limit.
    public init(
        of file: String, name: String, limit: Int,
        nextLine: () throws(TraceError) -> [UInt8]?
    ) throws(TraceError) {
        var events: [Event] = []
        var samples: [Sample] = []
        // Facts about the trace that some lines contain; the last of each is used.
        var viewportHeight: Double?
        var hz: Int?
        var last = Instant.zero
        var number = 0
        while let bytes = try nextLine() {
            number += 1
            guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
            let line = try TraceLine(bytes, file: file, line: number)
            guard line.time >= last else {
                throw TraceError(
                    kind: .malformed, file: file, line: number,
                    found: "time \(line.seconds) after \(last.seconds)",
                    expected: "times that never go back")
            }
            last = line.time
            viewportHeight = line.viewportHeight ?? viewportHeight
            hz = line.hz ?? hz
            switch line.content {
            case .sample(let offset): samples.append(Sample(time: line.time, offset: offset))
            case .input(let input, let offset):
                events.append(Event(time: line.time, input, offset: offset))
            }
            guard events.count + samples.count <= limit else {
                throw TraceError(
                    kind: .malformed, file: file, line: number,
                    found: "more than \(limit) inputs and offsets", expected: "a shorter trace")
            }
        }
        guard !events.isEmpty || !samples.isEmpty else {
            throw TraceError(
                kind: .malformed, file: file, line: 1, found: "nothing",
                expected: "at least one JSON object such as {\"t\":0,\"y\":0,\"phase\":\"scroll\"}")
        }
        self.init(
            name: name, events: events, samples: samples, viewportHeight: viewportHeight, hz: hz)
    }

    /// Returns the name of a trace that stands in a file: the file's name without the extension.
    private static func name(of file: String) -> String {
        let base = file.split(separator: "/").last.map(String.init) ?? file
        guard let dot = base.lastIndex(of: "."), dot > base.startIndex else { return base }
        return String(base[..<dot])
    }
}

/// A parsed and validated line of a trace.
private struct TraceLine {
    enum Content {
        case sample(Double)
        case input(Trace.Input, offset: Double? = nil)
    }

    /// The latest time in seconds: a day.
    static let latest = 86_400.0

    let seconds: Double
    let time: Instant
    let content: Content
    let viewportHeight: Double?
    let hz: Int?

    init(_ bytes: [UInt8], file: String, line: Int) throws(TraceError) {
        func wrong(_ found: String, _ expected: String) -> TraceError {
            TraceError(
                kind: .malformed, file: file, line: line, found: found, expected: expected)
        }
        func decoded() throws(TraceError) -> JSONValue {
            do {
                return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
            } catch {
                throw wrong(quoted(bytes), "a JSON object")
            }
        }
        guard case .object(let members) = try decoded() else {
            throw wrong(quoted(bytes), "a JSON object")
        }
        func number(_ name: String, _ limit: ClosedRange<Double>) throws(TraceError) -> Double {
            guard let value = members[name] else {
                throw wrong("no \"\(name)\"", "\"\(name)\" to be a number")
            }
            guard case .number(let number) = value else {
                throw wrong(
                    "\"\(name)\" to be \(value.kind)", "\"\(name)\" to be a number")
            }
            guard limit.contains(number) else {
                throw wrong(
                    "\"\(name)\":\(number)",
                    "\"\(name)\" from \(limit.lowerBound) to \(limit.upperBound)")
            }
            return number
        }
        // Optional members, which are ignored if they are invalid.
        func fact(_ name: String, _ limit: ClosedRange<Double>) -> Double? {
            guard case .number(let number) = members[name], limit.contains(number) else {
                return nil
            }
            return number
        }
        viewportHeight = fact("viewport", 1...1e6)
        hz = fact("hz", 1...1000).map { Int($0) }
        let offsets = -1e12...1e12
        seconds = try number("t", 0...TraceLine.latest)
        time = Instant(nanoseconds: Int64((seconds * 1e9 + 0.5).rounded(.down)))
        let phases = "\"phase\" to be down, move, up, cancel, scroll, wheel, key or jump"
        guard let phase = members["phase"] else { throw wrong("no \"phase\"", phases) }
        guard case .string(let phase) = phase else {
            throw wrong("\"phase\" to be \(phase.kind)", phases)
        }
        switch phase {
        case "down": content = .input(.down(y: try number("y", offsets)))
        case "move": content = .input(.move(y: try number("y", offsets)))
        case "up": content = .input(.up(y: try number("y", offsets)))
        case "cancel": content = .input(.cancel(y: try number("y", offsets)))
        case "scroll": content = .sample(try number("y", offsets))
        case "wheel":
            content = .input(.wheel(dy: try number("dy", offsets)), offset: fact("y", offsets))
        case "key": content = .input(.key, offset: fact("y", offsets))
        case "jump": content = .input(.jump(target: try number("target", offsets)))
        default: throw wrong("phase \(quoted(Array(phase.utf8)))", phases)
        }
    }
}

/// Returns the start of some bytes in quotation marks, safe to print on one line.
func quoted(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes.prefix(40), as: UTF8.self).unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: text.append("?")
        default: text.append(scalar)
        }
    }
    return bytes.count > 40 ? "\"\(String(text))…\"" : "\"\(String(text))\""
}

/// Any JSON value, to say what was found in the place of what was expected.
enum JSONValue: Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The kind of value, with its article.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
