/// Reads along as a request's head comes, and stops it before evhttp reads what it shouldn't.
///
/// Evhttp keeps each header apart, and a header of one byte costs a hundred in memory; it reads no
/// further in a line than to a zero byte; and what comes in chunks has lines after its head, too. All
/// three are refused here. What follows a head, a body or the requests that were sent ahead, is no
/// part of it, and costs its bytes alone.
struct HeadReader {
    /// The lines that have ended.
    private(set) var lines = 0
    /// Whether the empty line has come that ends the head.
    private(set) var isComplete = false
    /// Whether nothing has come.
    private(set) var isEmpty = true
    /// The line that is coming, no more of it than is looked at.
    private var line: [UInt8] = []

    private static let chunking = Array("transfer-encoding:".utf8)

    /// Reads what came next.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - limit: The lines that there may be.
    /// - Throws: Why the request is refused.
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
