internal import LullLibC

/// A file that is open for reading as long as this object exists.
public final class OpenedFile: Sendable {
    /// The file descriptor, which this object owns.
    public let number: Int32

    /// Takes ownership of a file descriptor.
    public init(owning number: Int32) { self.number = number }

    /// Opens a file without blocking, whatever kind of file it is.
    convenience init(_ path: String, _ flags: Int32 = 0) throws(PictureError.Reason) {
        // Swift would pass only the part before a zero to the system, which is another file's name.
        guard !path.utf8.contains(0) else { throw .cannotOpen(errno: EINVAL) }
        let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags)
        // The error for a socket under that name, and for a device without hardware.
        if number < 0, errno == ENXIO { throw .notARegularFile }
        guard number >= 0 else { throw .cannotOpen(errno: errno) }
        self.init(owning: number)
    }

    deinit { close(number) }

    /// A closure that is called before each read of a file, so that tests can count reads and
    /// change the file there.
    @TaskLocal static var onRead: (@Sendable (Range<Int>) -> Void)?

    /// Fills the start of the buffer with up to `count` bytes from `offset` on, and returns their
    /// number, which is smaller only at the end of the file.
    ///
    /// All reads of files go through this method.
    func read(
        _ count: Int, at offset: Int, into room: inout MutableRawSpan
    ) throws(PictureError.Reason) -> Int {
        Self.onRead?(offset..<offset + count)
        var filled = 0
        while filled < count {
            let got = unsafe room.withUnsafeMutableBytes { room in
                unsafe pread(number, room.baseAddress! + filled, count - filled, offset + filled)
            }
            if got == 0 { break }
            if got > 0 {
                filled += got
            } else if errno != EINTR {
                throw .cannotRead(errno: errno)
            }
        }
        return filled
    }
}
