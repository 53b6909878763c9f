internal import Glibc

/// A descriptor for lines, with a method of writing that never blocks.
enum LogChannel {
    /// A socket, such as the journal's; each send has its own nonblocking flag.
    case socket(Int32)
    /// A pipe or terminal that was opened again: only the new descriptor is nonblocking, so that
    /// processes that share the first are not affected.
    case reopened(Int32)
    /// A pipe or terminal that can't be opened again; it is polled for room before each write.
    case shared(Int32)
    /// A file, which never blocks for long.
    case file(Int32)

    /// Creates the channel that suits a descriptor.
    init(to descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            self = .file(descriptor)
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: self = .socket(descriptor)
        case S_IFREG: self = .file(descriptor)
        default:
            let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let reopened = unsafe open("/proc/self/fd/\(descriptor)", flags)
            self = reopened < 0 ? .shared(descriptor) : .reopened(reopened)
        }
    }

    /// Writes bytes in one call, and returns how many were written.
    func write(_ bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var count: Int
            repeat {
                count =
                    switch self {
                    case .socket(let descriptor):
                        unsafe send(
                            descriptor, bytes.baseAddress, bytes.count,
                            Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                    case .reopened(let descriptor), .file(let descriptor):
                        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                    case .shared(let descriptor):
                        Self.hasRoom(descriptor)
                            ? unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) : 0
                    }
            } while count < 0 && errno == EINTR
            return max(0, count)
        }
    }

    /// Closes the descriptor if it was opened here.
    func close() {
        if case .reopened(let descriptor) = self { Glibc.close(descriptor) }
    }

    private static func hasRoom(_ descriptor: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe Glibc.poll(&poll, 1, 0) == 1 && poll.revents & Int16(POLLOUT) != 0
    }
}
