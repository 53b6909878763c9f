import Glibc

/// The bytes of a file or a part of one, at an address that never changes.
///
/// They are copied, not mapped: a mapped file that somebody shortens would end the process.
@safe struct FileContents: ~Copyable {
    /// What is read at once: far below a millisecond's worth.
    private static let piece = 256 << 10

    private let base: UnsafeMutableRawPointer
    private let range: Range<Int>
    /// How many bytes have been read.
    private(set) var count = 0

    /// Room for a part of a file.
    init(range: Range<Int>) throws(ImageError.Reason) {
        guard let base = unsafe malloc(max(1, range.count)) else { throw .outOfMemory }
        unsafe self.base = base
        self.range = range
    }

    deinit { unsafe free(base) }

    /// Where the bytes are; they stay until the contents are dropped.
    var bytes: UnsafePointer<UInt8> {
        unsafe UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
    }

    /// Reads the next piece of the file, and says whether there is more to read.
    mutating func readPiece(of file: ImageFile) throws(ImageError.Reason) -> Bool {
        let wanted = min(Self.piece, range.count - count)
        let piece = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: wanted)
        var room = unsafe piece.mutableBytes
        let got = try file.read(at: range.lowerBound + count, into: &room)
        count += got
        // A file that has become shorter since it was opened ends here.
        return got == wanted && count < range.count
    }
}
