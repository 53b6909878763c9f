import CSandbox
import Glibc
import ImageLoading

/// A descriptor of this process, closed when it is dropped.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Takes over a descriptor that is open.
    init(owning number: Int32) { self.number = number }

    /// Opens a picture's file without ever waiting for it; what is no file is refused, so that the
    /// helper never gets a directory or a device into its hands.
    static func ofPicture(_ path: String) throws(PictureError.Reason) -> Descriptor {
        // Swift would hand the part before a zero to the system, which is another file's name.
        guard !path.utf8.contains(0) else { throw .cannotOpen(errno: EINVAL) }
        let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw .cannotOpen(errno: errno) }
        return try Descriptor(owning: number).checked()
    }

    /// A descriptor of its own for a file that is open.
    static func copy(of file: OpenedFile) throws(PictureError.Reason) -> Descriptor {
        let number = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .cannotOpen(errno: errno) }
        return try Descriptor(owning: number).checked()
    }

    /// The same, if it's a file.
    private consuming func checked() throws(PictureError.Reason) -> Descriptor {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .cannotRead(errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
        return self
    }

    deinit { close(number) }
}
