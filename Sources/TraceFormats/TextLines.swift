import LullTesting

/// The lines of a source without their ends, in constant memory.
struct TextLines: ~Copyable {
    /// The longest line that is read, in bytes.
    static let longest = 64 * 1024

    private var source: ByteSource
    private var chunk: [UInt8] = []
    private var position = 0
    private let expected: String
    /// The number of the line that was read last, from 1.
    private(set) var number = 0

    /// `expected` is what stands on a line, for the message about one that is too long.
    init(_ source: consuming ByteSource, expected: String) {
        self.source = source
        self.expected = expected
    }

    /// The next line, or nil after the last.
    mutating func next() throws(TraceError) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if position == chunk.count {
                guard let more = try source.next() else {
                    guard !line.isEmpty else { return nil }
                    number += 1
                    return line
                }
                chunk = more
                position = 0
            }
            let rest = chunk[position...]
            let end = rest.firstIndex(of: 0x0A)
            line += rest[..<(end ?? chunk.count)]
            position = end.map { $0 + 1 } ?? chunk.count
            guard line.count <= Self.longest else {
                throw Complaint(found: "a line of more than 64 KiB", expected: expected)
                    .at(line: number + 1, in: source.file)
            }
            if end != nil {
                number += 1
                return line
            }
        }
    }
}
