import LullTesting

/// A reader of lines, in constant memory, whatever the file holds.
struct LineReader: ~Copyable {
    /// The longest line that is read, in bytes.
    static let longest = 64 * 1024

    private var source: ByteSource
    private var chunk: [UInt8] = []
    private var position = 0
    private var number = 0

    /// Creates a reader of a source's lines.
    init(_ source: consuming ByteSource) { self.source = source }

    /// Returns the next line without its end; nil after the last.
    mutating func next() throws(TraceError) -> [UInt8]? {
        var line: [UInt8] = []
        number += 1
        while true {
            if position == chunk.count {
                guard let more = try source.next() else { return line.isEmpty ? nil : line }
                chunk = more
                position = 0
            }
            let rest = chunk[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            line += rest[..<(end ?? chunk.count)]
            position = end.map { $0 + 1 } ?? chunk.count
            guard line.count <= Self.longest else {
                throw TraceError(
                    kind: .malformed, file: source.file, line: number,
                    found: "a line of more than 64 KiB", expected: "one JSON object a line")
            }
            if end != nil { return line }
        }
    }
}
