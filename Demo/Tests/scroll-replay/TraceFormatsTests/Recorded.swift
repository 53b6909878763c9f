import CGzip
import Foundation
import LullTesting
import ScrollModel
import ShippedTraces
import Testing
import TraceFormats

/// A recording in a file, read once and gone.
struct Recorded {
    let trace: Trace
    let dialect: TraceDialect
    let statement: String

    init(_ text: String, options: TraceFileOptions = .init()) throws(TraceError) {
        try self.init(bytes: Array(text.utf8), options: options)
    }

    init(bytes: [UInt8], options: TraceFileOptions = .init()) throws(TraceError) {
        let path = Recorded.path()
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try TraceFile(path, options: options)
        (trace, dialect, statement) = (file.trace, file.dialect, file.statement)
    }

    /// A file's name that nobody has.
    static func path() -> String {
        FileManager.default.temporaryDirectory
            .appending(path: "recording-\(UInt64.random(in: 0 ... .max))").path
    }

    /// Some bytes as gzip.
    static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = unsafe gzopen(path, "wb1")
        unsafe gzwrite(file, bytes, UInt32(bytes.count))
        unsafe gzclose(file)
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// The files of the shipped traces.
    static let shipped = Shipped.names.map { "\($0).jsonl" }

    /// A shipped trace.
    static func shipped(_ name: String) throws -> Trace {
        try TraceFile("\(Shipped.folder)/\(name)").trace
    }

    /// A tool's recording of the panel whose events are `panel.jsonl`.
    struct Panel: Sendable, CustomTestStringConvertible {
        let file: String
        let dialect: TraceDialect
        /// Whether the file tells the panel's units.
        var hasAxes = true

        var bytes: [UInt8] { get throws { try Recorded.bytes(of: file) } }
        var testDescription: String { file }
    }

    /// One for each tool.
    static let panels = [
        Panel(file: "panel.evemu", dialect: .evemu),
        Panel(file: "panel.yml", dialect: .libinputRecord),
        Panel(file: "panel-lt.getevent", dialect: .getevent),
        Panel(file: "panel-t.getevent", dialect: .getevent, hasAxes: false),
    ]

    /// The bytes of a file that a tool has written.
    static func bytes(of file: String) throws -> [UInt8] {
        let url = Bundle.module.url(
            forResource: file, withExtension: nil, subdirectory: "recordings")
        return Array(try Data(contentsOf: try #require(url)))
    }

    /// A trace in a dialect.
    static func text(of trace: Trace, _ dialect: TraceDialect) throws -> String {
        var text = ""
        guard let writer = TraceWriter(dialect) else { return text }
        writer.write(trace) { text += $0 }
        return text
    }
}

/// The place of an error, and what was found and expected there.
struct Place: Equatable {
    var line: Int?
    var byte: Int?
    var found: String
    var expected: String
}

/// Returns the error for a text that isn't a recording.
func refusal(of bytes: [UInt8], options: TraceFileOptions = .init()) -> Place? {
    do throws(TraceError) {
        _ = try Recorded(bytes: bytes, options: options)
        return nil
    } catch {
        return Place(
            line: error.line, byte: error.byte, found: error.found, expected: error.expected)
    }
}

func refusal(of text: String, options: TraceFileOptions = .init()) -> Place? {
    refusal(of: Array(text.utf8), options: options)
}

extension Trace.Event {
    init(nanoseconds: Int64, _ input: Trace.Input) {
        self.init(time: Instant(nanoseconds: nanoseconds), input)
    }

    var nanoseconds: Int64 { time.nanoseconds }
}

extension Trace.Sample {
    init(nanoseconds: Int64, offset: Double) {
        self.init(time: Instant(nanoseconds: nanoseconds), offset: offset)
    }

    var nanoseconds: Int64 { time.nanoseconds }
}
