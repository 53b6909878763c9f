internal import LullLibC

/// The kind of file that a descriptor refers to.
public enum DescriptorKind: Equatable, Sendable {
    /// A socket.
    case socket(SocketFacts)
    /// A pipe, with a name or without.
    case pipe
    /// A regular file.
    case file
    /// A directory.
    case folder
    /// A character device, such as a terminal.
    case characterDevice
    /// Any other kind, such as an eventfd.
    case other

    /// Determines the kind of file of an open descriptor; throws `notOpen` if it isn't open.
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
