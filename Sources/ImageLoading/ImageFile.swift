import Glibc

/// An open regular file.
///
/// A pipe or a device under the name of a photo is refused, not read.
struct ImageFile: ~Copyable {
    private let descriptor: FileDescriptor
    /// The length that the file had when it was opened.
    let byteCount: Int

    init(path: String, limits: ImageLimits) throws(ImageError.Reason) {
        let descriptor = try FileDescriptor(opening: path)
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else {
            throw .cannotRead(errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
        guard status.st_size > 0 else { throw .empty }
        try limits.check(fileBytes: status.st_size)
        byteCount = status.st_size
        self.descriptor = descriptor
    }

    /// Fills the room with the bytes from `offset` on, and says how many there were.
    ///
    /// Fewer than there is room for only at the end of the file.
    func read(
        at offset: Int, into room: inout MutableRawSpan
    ) throws(ImageError.Reason) -> Int {
        var count = 0
        while count < room.byteCount {
            let got = unsafe room.withUnsafeMutableBytes { room in
                unsafe pread(
                    descriptor.number, room.baseAddress! + count, room.count - count,
                    offset + count)
            }
            if got == 0 { break }
            if got > 0 {
                count += got
            } else if errno != EINTR {
                throw .cannotRead(errno: errno)
            }
        }
        return count
    }
}
