/// Reads here and there in the first part of a file, forwards, with few calls of the system.
struct FileHead {
    private static let piece = 4096

    private var buffer: [UInt8] = []
    private var start = 0

    /// Bytes of the file; nil if it ends before, or can't be read.
    mutating func bytes(
        of file: borrowing FileDescriptor, at offset: Int, count: Int
    ) -> ArraySlice<UInt8>? {
        if offset < start || offset + count > start + buffer.count {
            fill(from: file, at: offset, count: max(count, Self.piece))
        }
        let first = offset - start
        guard first + count <= buffer.count else { return nil }
        return buffer[first..<first + count]
    }

    private mutating func fill(from file: borrowing FileDescriptor, at offset: Int, count: Int) {
        start = offset
        buffer = [UInt8](repeating: 0, count: count)
        var span = buffer.mutableSpan
        var room = unsafe span.mutableBytes
        let got = try? file.read(count, at: offset, into: &room)
        buffer.removeLast(count - (got ?? 0))
    }
}
