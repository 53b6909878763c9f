import LullTesting

/// What is wrong with a piece of a recording, for whoever knows where it stands.
struct Complaint: Error, Equatable {
    /// What was found.
    let found: String
    /// What was expected.
    let expected: String

    init(found: String, expected: String) {
        self.found = found
        self.expected = expected
    }

    /// A line that isn't like the others of its dialect.
    init(_ line: [UInt8], in dialect: TraceDialect) {
        self.init(found: quoted(line), expected: dialect.example)
    }

    /// The error with its place.
    func at(line: Int? = nil, byte: Int? = nil, in file: String) -> TraceError {
        TraceError(
            kind: .malformed, file: file, line: line, byte: byte, found: found, expected: expected)
    }
}
