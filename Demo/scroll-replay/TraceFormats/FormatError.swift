import LullTesting
import ReplayText

/// An error in a piece of a recording, without its place, which the caller adds.
struct FormatError: Error, Equatable {
    /// The text that was found.
    let found: String
    /// The text that was expected.
    let expected: String

    init(found: String, expected: String) {
        self.found = found
        self.expected = expected
    }

    /// Creates the error for a line that doesn't match its dialect.
    init(_ line: [UInt8], in dialect: TraceDialect) {
        self.init(found: quoted(line), expected: dialect.example)
    }

    /// Returns the error with its place.
    func at(line: Int? = nil, byte: Int? = nil, in file: String) -> TraceError {
        TraceError(
            kind: .malformed, file: file, line: line, byte: byte, found: found, expected: expected)
    }
}
