internal import Glibc

/// A file that is open for reading until nobody holds this.
public final class OpenedFile: Sendable {
    /// The descriptor, which stays this object's.
    public let number: Int32

    /// Takes over a descriptor.
    public init(owning number: Int32) { self.number = number }

    /// Opens a file without ever waiting for it, whatever it is.
    convenience init(_ path: String, _ flags: Int32 = 0) throws(PictureError.Reason) {
        // Swift would hand the part before a zero to the system, which is another file's name.
        guard !path.utf8.contains(0) else { throw .cannotOpen(errno: EINVAL) }
        let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags)
        // The answer of a socket under that name, and of a device without hardware.
        if number < 0, errno == ENXIO { throw .notARegularFile }
        guard number >= 0 else { throw .cannotOpen(errno: errno) }
        self.init(owning: number)
    }

    deinit { close(number) }

    /// Called with each read of a file, before it's done, so that tests can count them and change the
    /// file there.
    @TaskLocal static var onRead: (@Sendable (Range<Int>) -> Void)?

    /// Fills the start of the room with as many bytes from `offset` on, and returns how many there
    /// were: fewer only at the end of the file.
    ///
    /// All that is read of files is read here.
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
