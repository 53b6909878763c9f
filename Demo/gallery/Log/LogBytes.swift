/// Bytes that are probably text, such as a file's name, as a log's metadata.
///
/// ```swift
/// logger.info("no picture", metadata: ["file": .stringConvertible(LogBytes(path.bytes))])
/// ```
///
/// In a log line, invalid UTF-8 is escaped, so that the name stays recognizable; elsewhere it is
/// repaired.
public struct LogBytes: CustomStringConvertible, Sendable {
    let bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text, with invalid UTF-8 repaired.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
