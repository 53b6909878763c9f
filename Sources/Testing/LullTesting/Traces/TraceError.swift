internal import LullLibC

/// The reason why a trace can't be read, with the place, what was found, and what was expected.
public struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Equatable, Sendable {
        /// The file can't be opened or read.
        case unreadable
        /// The file's content isn't a trace.
        case malformed
    }

    /// The kind of error.
    public var kind: Kind
    /// The file.
    public var file: String
    /// The line, counted from 1; nil if the error isn't about a line.
    public var line: Int?
    /// The byte, counted from 0, in a file without lines.
    public var byte: Int?
    /// The text or value that was found.
    public var found: String
    /// The text or value that was expected.
    public var expected: String

    /// Creates an error with its place.
    public init(
        kind: Kind, file: String, line: Int?, byte: Int? = nil, found: String, expected: String
    ) {
        self.kind = kind
        self.file = file
        self.line = line
        self.byte = byte
        self.found = found
        self.expected = expected
    }

    /// Creates the error of a file that can't be opened or read, from the system's error number.
    public init(unreadable file: String, errno code: Int32) {
        self.init(
            kind: .unreadable, file: file, line: nil, found: unsafe String(cString: strerror(code)),
            expected: "")
    }

    /// One line: the place, what was found, what was expected.
    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? byte.map { "\(file): byte \($0)" } ?? file
        return expected.isEmpty
            ? "\(place): \(found)" : "\(place): found \(found), expected \(expected)"
    }
}
