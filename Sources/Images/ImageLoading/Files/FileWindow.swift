/// A reader of a part of a file, byte after byte, with a small buffer, which can skip bytes without
/// reading them.
struct FileWindow {
    private static let size = 4096
    /// The number of bytes that are read after a long skip: another one may follow.
    private static let headSize = 512

    private let file: PictureFile
    /// The end of the part.
    private let end: Int
    private var buffer: [UInt8] = []
    /// The offset in the file at which the buffer begins.
    private var start = 0
    /// The index of the next byte in the buffer; beyond its end after a long skip.
    private var next: Int

    /// Creates a reader of a part of a file; nil for all of it.
    init(of file: PictureFile, range: Range<Int>? = nil) {
        self.file = file
        next = range?.lowerBound ?? 0
        end = range?.upperBound ?? .max
    }

    /// The offset of the next byte in the file.
    var position: Int { start + next }

    /// Skips a number of bytes, without reading them.
    mutating func skip(_ count: Int) { next += count }

    /// Returns the next byte; nil at the end.
    mutating func nextByte() throws(PictureError.Reason) -> UInt8? {
        guard try hasByte() else { return nil }
        defer { next += 1 }
        return buffer[next]
    }

    /// Returns the next byte; the error is `truncated` at the end.
    mutating func byte() throws(PictureError.Reason) -> UInt8 {
        guard let byte = try nextByte() else { throw .truncated(rowsDecoded: 0, of: 0) }
        return byte
    }

    /// Returns the next bytes; the error is `truncated` if there are fewer.
    mutating func bytes(_ count: Int) throws(PictureError.Reason) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(count, to: &bytes)
        guard bytes.count == count else { throw .truncated(rowsDecoded: 0, of: 0) }
        return bytes
    }

    /// Appends the next bytes to an array; fewer at the end.
    mutating func append(
        _ count: Int, to bytes: inout [UInt8]
    ) throws(PictureError.Reason) {
        let last = min(position + count, end)
        while position < last, try hasByte() {
            let part = buffer[next..<min(buffer.count, next + last - position)]
            bytes.append(contentsOf: part)
            next += part.count
        }
    }

    private mutating func hasByte() throws(PictureError.Reason) -> Bool {
        guard position < end else { return false }
        if next < buffer.count { return true }
        let count = next > buffer.count + Self.size ? Self.headSize : Self.size
        start += next
        next = 0
        buffer = try file.bytes(at: start, count: count)
        return !buffer.isEmpty
    }
}
