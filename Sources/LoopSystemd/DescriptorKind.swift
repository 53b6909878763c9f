internal import Glibc

/// What a descriptor is open on.
public enum DescriptorKind: Equatable, Sendable {
    /// A socket.
    case socket(SocketFacts)
    /// A pipe, with a name or without.
    case pipe
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A device that is read character by character, as a terminal is.
    case characterDevice
    /// Anything else: the kernel's own kinds, such as an eventfd.
    case other

    /// What an open descriptor is; throws `notOpen` if it isn't.
    public init(of descriptor: Int32) throws(SystemdError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw errno == EBADF
                ? .notOpen(descriptor: descriptor) : .system(call: "fstat", errno: errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: self = .socket(try SocketFacts(of: descriptor))
        case S_IFIFO: self = .pipe
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFCHR: self = .characterDevice
        default: self = .other
        }
    }
}
