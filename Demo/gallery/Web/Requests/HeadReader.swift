/// A filter that reads a request's head before evhttp does, and rejects what evhttp shouldn't read.
///
/// Evhttp stores each header separately, and a header of one byte costs a hundred in memory; it
/// reads a line only up to a zero byte; and a chunked body has headers after it, too. All three are
/// rejected here. The bytes after a head, which are a body or pipelined requests, are not part of
/// it, and cost only themselves.
struct HeadReader {
    /// The number of complete lines.
    private(set) var lines = 0
    /// Whether the empty line that ends the head has been read.
    private(set) var isComplete = false
    /// Whether nothing has been read.
    private(set) var isEmpty = true
    /// The start of the current line, as far as it is examined.
    private var line: [UInt8] = []

    private static let chunking = Array("transfer-encoding:".utf8)

    /// Reads the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The received bytes.
    ///   - limit: The maximum number of lines.
    /// - Throws: The reason why the request is rejected.
    mutating func read(_ bytes: [UInt8], limit: Int) throws(WebRefusal) {
        for byte in bytes where !isComplete {
            isEmpty = false
            switch byte {
            case 0: throw .zeroByte
            case UInt8(ascii: "\n"):
                lines += 1
                if lines > limit { throw .lines }
                isComplete = line.isEmpty || line == [UInt8(ascii: "\r")]
                line.removeAll(keepingCapacity: true)
            default:
                guard line.count < Self.chunking.count else { continue }
                line.append(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte)
                if lines > 0, line == Self.chunking { throw .transferEncoding }
            }
        }
    }
}
