/// A reader of single bytes of a file, with a small buffer, which can skip parts without reading
/// them.
struct FileWindow {
    private static let size = 4096
    /// The number of bytes that are read after a long skip: another one may follow.
    private static let headSize = 512

    private var buffer: [UInt8] = []
    /// The offset in the file at which the buffer begins.
    private var start = 0
    /// The index of the next byte in the buffer; beyond its end after a long skip.
    private var next = 0

    /// The offset of the next byte in the file.
    var position: Int { start + next }

    /// Skips a number of bytes, without reading them.
    mutating func skip(_ count: Int) { next += count }

    /// Returns the next byte; nil at the end of the file.
    mutating func byte(of file: PictureFile) throws(PictureError.Reason) -> UInt8? {
        guard try hasByte(of: file) else { return nil }
        defer { next += 1 }
        return buffer[next]
    }

    /// Appends the next bytes to an array; fewer at the end of the file.
    mutating func append(
        _ count: Int, of file: PictureFile, to bytes: inout [UInt8]
    ) throws(PictureError.Reason) {
        let end = position + count
        while position < end, try hasByte(of: file) {
            let part = buffer[next..<min(buffer.count, next + end - position)]
            bytes.append(contentsOf: part)
            next += part.count
        }
    }

    private mutating func hasByte(of file: PictureFile) throws(PictureError.Reason) -> Bool {
        if next < buffer.count { return true }
        let count = next > buffer.count + Self.size ? Self.headSize : Self.size
        start += next
        next = 0
        buffer = try file.bytes(at: start, count: count)
        return !buffer.isEmpty
    }
}
