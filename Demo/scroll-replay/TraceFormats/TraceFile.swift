public import LullTesting
internal import ReplayText
import ScrollModel

/// A recorded scroll, read from a file of any of the supported tools.
///
/// ```swift
/// let file = try TraceFile("fling.evemu")
/// print(file.statement)  // evemu: 1 stroke, 147 samples, 2.20 s
/// let path = OffsetPath(of: file.trace, in: list, scroller: Scroller(.chromium))
/// ```
///
/// The format is detected by the content: this package's own lines, evemu, libinput record,
/// getevent, rrweb or a Chrome trace, each also as gzip. A file is read in one pass, in memory that
/// grows only with the inputs and offsets that are kept.
public struct TraceFile: Sendable {
    /// The inputs and offsets.
    public let trace: Trace
    /// The detected format.
    public let dialect: TraceDialect
    /// The detected format and a summary of the content, in a sentence without its full stop.
    public let statement: String

    /// Reads a file; `-` is standard input.
    ///
    /// Throws if the content doesn't match the detected format; the error has the file, the line or
    /// byte, what was found and what was expected.
    public init(
        _ path: String, options: TraceFileOptions = TraceFileOptions()
    ) throws(TraceError) {
        var source = try ByteSource(path)
        let dialect = try TraceFile.dialect(of: &source)
        self.dialect = dialect
        let isPacked = source.isPacked
        let name = TraceFile.name(of: path, isPacked: isPacked)
        var notes: [String] = []
        switch dialect {
        case .own:
            var lines = LineReader(source, expected: "one JSON object a line")
            trace = try Trace(of: path, name: name, limit: options.limit) {
                () throws(TraceError) in try lines.next()
            }
        case .rrweb, .chrome:
            let (recording, start) =
                dialect == .rrweb
                ? try RrwebFormat.read(source, options) : try ChromeFormat.read(source, options)
            trace = recording.trace(name: name, from: start)
            notes = recording.notes
        default:
            guard let format = dialect.eventReader(options) else {
                preconditionFailure("the other dialects are of lines")
            }
            (trace, notes) = try TraceFile.read(
                LineReader(source, expected: dialect.example), as: format, options, path, name)
        }
        if isPacked { notes.append("gzip") }
        statement = TraceFile.statement(of: trace, dialect, notes)
    }

    /// Reads a recording with one event a line.
    private static func read(
        _ lines: consuming LineReader, as format: EvdevFormat,
        _ options: TraceFileOptions, _ path: String, _ name: String
    ) throws(TraceError) -> (Trace, [String]) {
        var format = format
        var recording = Recording(limit: options.limit)
        while let line = try lines.next() {
            do {
                for event in try format.read(line) { try recording.append(event) }
            } catch {
                throw error.at(line: lines.number, in: path)
            }
        }
        guard !recording.events.isEmpty else {
            throw format.emptiness.at(line: lines.number, in: path)
        }
        return (recording.trace(name: name, from: format.start), format.notes)
    }

    private static func dialect(of source: inout ByteSource) throws(TraceError) -> TraceDialect {
        var start = try source.peek(DialectSniffer.reach)
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            source.skip(3)
            start.removeFirst(3)
        }
        let text = "UTF-8 text"
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            throw FormatError(found: "UTF-16 text", expected: text).at(byte: 0, in: source.file)
        }
        if let zero = start.firstIndex(of: 0) {
            throw FormatError(found: "binary data", expected: text).at(byte: zero, in: source.file)
        }
        let dialect = DialectSniffer.dialect(of: start)
        if dialect == nil || dialect == .own, let error = DialectSniffer.documentError(start) {
            throw error.at(line: 1, in: source.file)
        }
        if let dialect { return dialect }
        let first = start.split(separator: 0x0A).first.map(Array.init) ?? []
        guard !first.allSatisfy(ByteScanner.isBlank) else { return .own }
        // A line that is too long for any format is reported by the reader of lines.
        guard first.count < DialectSniffer.reach else { return .own }
        throw FormatError(found: quoted(first), expected: TraceDialect.examples)
            .at(line: 1, in: source.file)
    }

    private static func name(of path: String, isPacked: Bool) -> String {
        if path == "-" { return "stdin" }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = withoutExtension(file)
        return isPacked && path.hasSuffix(".gz") ? withoutExtension(name) : name
    }

    private static func withoutExtension(_ file: String) -> String {
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
        return String(file[..<dot])
    }
}
