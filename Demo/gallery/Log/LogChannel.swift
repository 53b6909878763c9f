internal import Glibc

/// A descriptor that lines are written to, by the way that never waits.
enum LogChannel {
    /// A socket, as the journal's: each send says for itself that it doesn't wait.
    case socket(Int32)
    /// A pipe or terminal that was opened a second time: only that one doesn't wait, and those who
    /// share the first are left as they are.
    case reopened(Int32)
    /// A pipe or terminal that this process may not open: asked first whether it has room.
    case shared(Int32)
    /// A file, which takes what it's given.
    case file(Int32)

    /// The way for what a descriptor is open on.
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

    /// Writes all in one call, and says how much of it was taken.
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

    /// Closes what was opened.
    func close() {
        if case .reopened(let descriptor) = self { Glibc.close(descriptor) }
    }

    private static func hasRoom(_ descriptor: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe Glibc.poll(&poll, 1, 0) == 1 && poll.revents & Int16(POLLOUT) != 0
    }
}
