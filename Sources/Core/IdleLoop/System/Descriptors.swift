internal import CLullLibevent
internal import LullLibC

/// An eventfd, by which any thread can wake the loop.
package struct EventFD: ~Copyable, Sendable {
    package let descriptor: Int32
    private let flags: Int32

    package init(semaphore: Bool = false) throws(LoopError) {
        var flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
        if semaphore { flags |= Int32(EFD_SEMAPHORE) }
        self.flags = flags
        descriptor = eventfd(0, flags)
        guard descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Signals the eventfd once, or `times` over for a semaphore.
    package func signal(times: UInt64 = 1) {
        _ = eventfd_write(descriptor, times)
    }

    /// Reads and resets the count.
    @discardableResult
    package func clear() -> UInt64 {
        var count: eventfd_t = 0
        while unsafe eventfd_read(descriptor, &count) != 0 {
            guard errno == EINTR else { return 0 }
        }
        return count
    }

    /// Replaces the eventfd under the same number, so that a forked child doesn't share its
    /// parent's.
    func renew() throws(LoopError) {
        try replace(descriptor, by: eventfd(0, flags), call: "eventfd")
    }
}

/// A pidfd: a descriptor that becomes readable when a process ends.
package struct ProcessDescriptor: ~Copyable {
    package let descriptor: Int32

    package init(of process: Int32) throws(LoopError) {
        descriptor = lull_pidfd_open(process)
        guard descriptor >= 0 else {
            throw errno == ESRCH ? .noProcess(process) : .system(call: "pidfd_open", errno: errno)
        }
    }

    deinit { close(descriptor) }

    /// Reaps the process if it has ended.
    ///
    /// If the caller isn't its parent, or the process was reaped before, the result is `unknown`.
    func reap() -> ChildExit? {
        var code: Int32 = 0
        var status: Int32 = 0
        switch unsafe lull_pidfd_reap(descriptor, &code, &status) {
        case 0: return nil
        case 1 where code == Int32(CLD_EXITED): return .exited(status: status)
        case 1: return .killed(signal: status)
        default: return .unknown
        }
    }
}

/// The exit status of a process.
public enum ChildExit: Equatable, Sendable {
    /// The process returned from `main` or called `exit` with this status, 0 to 255.
    case exited(status: Int32)
    /// A signal of this number ended it.
    case killed(signal: Int32)
    /// The process has ended, but it isn't a child of this process or was reaped elsewhere.
    case unknown
}

/// Throws if the process can't open `count` more descriptors.
func checkDescriptors(atLeast count: Int) throws(LoopError) {
    var spare: [Int32] = []
    defer { for descriptor in spare { close(descriptor) } }
    while spare.count < count {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
        spare.append(descriptor)
    }
}

/// Replaces an open descriptor by a new one under the same number.
func replace(_ old: Int32, by new: Int32, call: String) throws(LoopError) {
    guard new >= 0 else { throw .system(call: call, errno: errno) }
    defer { close(new) }
    guard dup2(new, old) >= 0, fcntl(old, F_SETFD, FD_CLOEXEC) >= 0 else {
        throw .system(call: "dup2", errno: errno)
    }
}
