import Glibc

/// Reads here and there in the first part of a file, forwards, with few calls of the system.
struct FileHead {
    private static let piece = 4096

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0

    init(of descriptor: Int32) { self.descriptor = descriptor }

    /// Bytes of the file; nil if it ends before, or can't be read.
    mutating func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        if offset < start || offset + count > start + buffer.count {
            fill(from: offset, count: max(count, Self.piece))
        }
        let first = offset - start
        guard first + count <= buffer.count else { return nil }
        return buffer[first..<first + count]
    }

    private mutating func fill(from offset: Int, count: Int) {
        start = offset
        buffer = [UInt8](repeating: 0, count: count)
        let descriptor = descriptor
        let got = unsafe buffer.withUnsafeMutableBytes { room in
            unsafe pread(descriptor, room.baseAddress, room.count, offset)
        }
        buffer.removeLast(count - max(0, got))
    }
}
