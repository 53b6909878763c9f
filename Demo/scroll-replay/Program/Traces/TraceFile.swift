import LullTesting
import ReplayText

/// A recorded scroll in a file, one JSON object a line, also compressed by gzip.
///
/// A file is read in one pass, in memory that grows only with the inputs and offsets that are kept.
struct TraceFile: ~Copyable {
    /// The number of bytes that tell what a file is that isn't a trace.
    private static let reach = 64 * 1024
    /// The most inputs and offsets that are kept: nine hours at 120 Hz.
    private static let limit = 4_000_000
    private static let example =
        #"a JSON object such as {"t":0,"y":0,"phase":"scroll"} on each line; convert.py makes them "#
        + "of what evemu, libinput record, getevent -t, rrweb or Chrome's tracing gives"

    private let path: String
    private var source: ByteSource

    /// Reads a file's trace; `-` is standard input.
    ///
    /// Throws if the content isn't one; the error has the file, the line or byte, what was found and
    /// what was expected.
    static func read(_ path: String) throws(TraceError) -> Trace {
        try TraceFile(path).trace()
    }

    private init(_ path: String) throws(TraceError) {
        self.path = path
        source = try ByteSource(path)
    }

    private consuming func trace() throws(TraceError) -> Trace {
        try checkStart()
        let name = name
        var lines = LineReader(source)
        return try Trace(of: path, name: name, limit: Self.limit) { () throws(TraceError) in
            try lines.next()
        }
    }

    private var name: String {
        if path == "-" { return "stdin" }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = Self.withoutExtension(file)
        return source.isPacked && path.hasSuffix(".gz") ? Self.withoutExtension(name) : name
    }

    private static func withoutExtension(_ file: String) -> String {
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
        return String(file[..<dot])
    }

    /// Throws if the beginning of the file is that of something else.
    private mutating func checkStart() throws(TraceError) {
        var start = try source.peek(Self.reach)
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            source.skip(3)
            start.removeFirst(3)
        }
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            throw error("UTF-16 text", expected: "UTF-8 text", byte: 0)
        }
        if let zero = start.firstIndex(of: 0) {
            throw error("binary data", expected: "UTF-8 text", byte: zero)
        }
        let text = start.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        // An empty file, and a line that is too long, are told by the reader of lines.
        guard !text.isEmpty else { return }
        guard let outline = JSONOutline(text) else {
            let first = start.split(separator: 0x0A).first.map(Array.init) ?? []
            guard text.first != UInt8(ascii: "{"), first.count < Self.reach else { return }
            throw error(quoted(first), expected: Self.example, line: 1)
        }
        try check(outline)
    }

    /// Throws if a JSON text isn't one object a line, or is a recording of another tool.
    private func check(_ outline: JSONOutline) throws(TraceError) {
        let names = outline.names
        if names.contains("t"), names.contains("phase") {
            guard outline.isArray || !outline.isLine else { return }
            throw error(
                outline.isArray
                    ? "a scroll trace as an array" : "a scroll trace over several lines",
                expected:
                    "one object a line, as jq -c '\(outline.isArray ? ".[]" : ".")' prints it",
                line: 1)
        }
        let foreign = ["data", "events", "ph", "timestamp", "traceEvents", "window_id"]
        guard outline.isArray || !outline.isLine || names.contains(where: foreign.contains) else {
            return
        }
        let members = names.prefix(6).map { quoted(Array($0.utf8)) }.joined(separator: ", ")
        throw error(
            "a JSON \(outline.isArray ? "array" : "document")"
                + (outline.isLine ? "" : " over several lines")
                + (members.isEmpty ? "" : " with the members \(members)")
                + (names.count > 6 ? " and others" : ""),
            expected: Self.example, line: 1)
    }

    private func error(
        _ found: String, expected: String, line: Int? = nil, byte: Int? = nil
    ) -> TraceError {
        TraceError(
            kind: .malformed, file: path, line: line, byte: byte, found: found, expected: expected)
    }
}
