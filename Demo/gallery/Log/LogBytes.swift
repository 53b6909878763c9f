/// Bytes that are most likely text, such as a file's name, as a log's metadata.
///
/// ```swift
/// logger.info("no picture", metadata: ["file": .stringConvertible(LogBytes(path.bytes))])
/// ```
///
/// In a line those that aren't UTF-8 are escaped, so that the name can still be told; anywhere else
/// they're repaired.
public struct LogBytes: CustomStringConvertible, Sendable {
    let bytes: [UInt8]

    /// These bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text, repaired.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
