internal import GalleryFiles
internal import Glibc
internal import Synchronization

/// A descriptor for lines, with a method of writing that never blocks.
struct LogChannel: ~Copyable {
    private enum Kind {
        /// A socket, such as the journal's; each send has its own nonblocking flag.
        case socket
        /// A pipe or terminal that can't be opened again; it is polled for room before each write.
        case shared
        /// A file, which never blocks for long, or a descriptor that is nonblocking.
        case file
    }

    private let kind: Kind
    private let descriptor: Int32
    /// The descriptor of a pipe or terminal that was opened again: only this one is nonblocking, so
    /// that processes that share the first are not affected.
    private let reopened: FileDescriptor?
    private let isTorn = Atomic(false)

    /// Creates the channel that suits a descriptor.
    init(to descriptor: Int32) {
        var status = stat()
        let format = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        guard format != S_IFSOCK, format != S_IFREG else {
            self.init(format == S_IFSOCK ? .socket : .file, descriptor)
            return
        }
        let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let other = unsafe open("/proc/self/fd/\(descriptor)", flags)
        if other < 0 {
            self.init(sharing: descriptor)
        } else {
            self.init(.file, other, reopened: FileDescriptor(owning: other))
        }
    }

    /// Creates the channel of a pipe or terminal that can't be opened again.
    init(sharing descriptor: Int32) { self.init(.shared, descriptor) }

    private init(_ kind: Kind, _ descriptor: Int32, reopened: consuming FileDescriptor? = nil) {
        self.kind = kind
        self.descriptor = descriptor
        self.reopened = reopened
    }

    /// Writes a line; returns whether it was written completely.
    func send(_ line: [UInt8]) -> Bool {
        // After a partly written line, the next begins with a line break.
        let wasTorn = isTorn.exchange(false, ordering: .relaxed)
        let line = wasTorn ? [UInt8(ascii: "\n")] + line : line
        let count = write(line)
        if count > 0 ? count < line.count : wasTorn { isTorn.store(true, ordering: .relaxed) }
        return count == line.count
    }

    /// Writes bytes in one call, and returns how many were written.
    func write(_ bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var count: Int
            repeat {
                count =
                    switch kind {
                    case .socket:
                        unsafe Glibc.send(
                            descriptor, bytes.baseAddress, bytes.count,
                            Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                    case .shared where !hasRoom: 0
                    case .shared, .file:
                        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                    }
            } while count < 0 && errno == EINTR
            return max(0, count)
        }
    }

    private var hasRoom: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe Glibc.poll(&poll, 1, 0) == 1 && poll.revents & Int16(POLLOUT) != 0
    }
}
