import Glibc

/// The bytes of a whole file, at an address that never changes.
///
/// They are copied, not mapped: a mapped file that somebody shortens would end the process.
@safe struct FileContents: ~Copyable {
    /// What is read at once: far below a millisecond's worth.
    private static let piece = 256 << 10

    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    /// How many bytes have been read.
    private(set) var count = 0

    init(capacity: Int) throws(ImageError.Reason) {
        guard let base = unsafe malloc(capacity) else { throw .outOfMemory }
        unsafe self.base = base
        self.capacity = capacity
    }

    deinit { unsafe free(base) }

    /// Where the bytes are; they stay until the contents are dropped.
    var bytes: UnsafePointer<UInt8> {
        unsafe UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
    }

    /// Reads the next piece of the file, and says whether there is more to read.
    mutating func readPiece(of file: borrowing ImageFile) throws(ImageError.Reason) -> Bool {
        let wanted = min(Self.piece, capacity - count)
        let piece = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: wanted)
        var room = unsafe piece.mutableBytes
        let got = try file.read(at: count, into: &room)
        count += got
        // A file that has become shorter since it was opened ends here.
        return got == wanted && count < capacity
    }
}
