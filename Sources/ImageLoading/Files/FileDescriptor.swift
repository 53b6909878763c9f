import Glibc

/// A descriptor open for reading, closed when it is dropped, if it is its own.
struct FileDescriptor: ~Copyable {
    let number: Int32
    /// Keeps it open; nil for a file that somebody else opened, and closes.
    let holder: OpenedFile?

    /// A file that somebody else opened, and closes.
    init(borrowing number: Int32) {
        self.number = number
        holder = nil
    }

    /// A file that is open as long as it's held.
    init(_ file: OpenedFile) {
        number = file.number
        holder = file
    }

    /// Opens a file without ever waiting for it, whatever it is.
    init(opening path: String, _ flags: Int32 = 0) throws(PictureError.Reason) {
        // Swift would hand the part before a zero to the system, which is another file's name.
        guard !path.utf8.contains(0) else { throw .cannotOpen(errno: EINVAL) }
        let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags)
        // What a socket under that name answers, and a device without hardware.
        if number < 0, errno == ENXIO { throw .notARegularFile }
        guard number >= 0 else { throw .cannotOpen(errno: errno) }
        self.init(OpenedFile(owning: number))
    }

    /// Told of each read of a file, before it's done, so that tests can count them and change the
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
