internal import CLullLibevent
internal import LullLibC

/// Returns whether a descriptor is open in this process.
func isOpen(_ descriptor: Int32) -> Bool {
    descriptor >= 0 && fcntl(descriptor, F_GETFD) != -1
}

/// Returns whether a signal exists and can have a handler.
func isCatchable(signal number: Int32) -> Bool {
    number > 0 && number < 65 && number != SIGKILL && number != SIGSTOP
}

/// The identity of an open file, by which it is told from another under the same number.
///
/// Some kinds of files, such as eventfds, have one identity for all.
struct WatchedFile: Equatable {
    private let device: dev_t
    private let number: ino_t
    private let kind: mode_t

    /// The file behind a descriptor; nil if that isn't open.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else { return nil }
        (device, number, kind) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT)
    }

    /// The file behind a descriptor that can be waited for.
    ///
    /// Throws `badDescriptor`, or `notPollable` for what is always ready: files, folders, and what
    /// the kernel doesn't let wait, as /dev/null.
    init(pollable descriptor: Int32) throws(LoopError) {
        guard let file = WatchedFile(descriptor) else { throw .badDescriptor(descriptor) }
        self = file
        guard kind != S_IFREG, kind != S_IFDIR else { throw .notPollable(descriptor) }
        let queue = epoll_create1(Int32(O_CLOEXEC))
        guard queue >= 0 else { return }  // no more descriptors: the loop's own queue may do
        defer { close(queue) }
        var event = unsafe epoll_event(events: 0, data: epoll_data_t())
        guard unsafe epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) != 0 else { return }
        switch errno {
        case EPERM: throw .notPollable(descriptor)
        case EBADF: throw .badDescriptor(descriptor)
        default: return
        }
    }
}

/// Returns whether a process of this number exists, including one that has ended but wasn't reaped.
func processExists(_ number: Int32) -> Bool {
    number > 0 && (kill(number, 0) == 0 || errno == EPERM)
}

/// Returns freed memory to the system, as far as the allocator can.
///
/// It takes from 0.5 ms, with one thread, to 4 ms.
package func returnFreedMemory() {
    // Where another allocator has replaced glibc's, as a sanitizer's does, glibc's is initialised by
    // the first call, which isn't safe from two threads at once.
    trimming.withLock { _ in lull_return_freed_memory() }
}

private let trimming = Guarded(())
