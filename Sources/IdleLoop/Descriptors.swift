internal import CLibevent
internal import Glibc

/// An eventfd: a bell that any thread can ring and the loop hears.
struct Bell: ~Copyable, Sendable {
    let descriptor: Int32
    private let flags: Int32

    init(semaphore: Bool = false, blocking: Bool = false) throws(LoopError) {
        var flags = Int32(EFD_CLOEXEC)
        if !blocking { flags |= Int32(EFD_NONBLOCK) }
        if semaphore { flags |= Int32(EFD_SEMAPHORE) }
        self.flags = flags
        descriptor = eventfd(0, flags)
        guard descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Rings once, or `times` over for a semaphore.
    func ring(times: UInt64 = 1) {
        _ = eventfd_write(descriptor, times)
    }

    /// Takes what has been rung; waits for it if the bell is a blocking one.
    @discardableResult
    func answer() -> UInt64 {
        var count: eventfd_t = 0
        while unsafe eventfd_read(descriptor, &count) != 0 {
            guard errno == EINTR else { return 0 }
        }
        return count
    }

    /// Puts a new bell under the same number, so that a forked child doesn't share its parent's.
    func renew() throws(LoopError) {
        try replace(descriptor, by: eventfd(0, flags), call: "eventfd")
    }
}

/// A timerfd: one alarm for all the timers of a loop, exact to microseconds.
struct Alarm: ~Copyable {
    let descriptor: Int32
    private static let flags = Int32(TFD_NONBLOCK | TFD_CLOEXEC)

    init() throws(LoopError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Alarm.flags)
        guard descriptor >= 0 else { throw .system(call: "timerfd_create", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Sets the alarm to a moment of the monotonic clock, or switches it off.
    func set(to moment: Instant?) throws(LoopError) {
        var setting = itimerspec()
        if let moment {
            let nanoseconds = max(moment.nanoseconds, 1)  // zero would switch it off
            setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        guard
            unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
                == 0
        else { throw .system(call: "timerfd_settime", errno: errno) }
    }

    /// Takes note that the alarm went off.
    func answer() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Puts a new alarm under the same number, so that a forked child doesn't share its parent's.
    func renew() throws(LoopError) {
        try replace(
            descriptor, by: timerfd_create(CLOCK_MONOTONIC, Alarm.flags), call: "timerfd_create")
    }
}

/// A descriptor that gets readable when a process ends.
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
    /// Whoever isn't its parent, or comes second, learns only that it's gone.
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

/// How a process ended.
public enum ChildExit: Equatable, Sendable {
    /// It returned from `main` or called `exit` with this status, 0 to 255.
    case exited(status: Int32)
    /// A signal of this number ended it.
    case killed(signal: Int32)
    /// It is gone, but isn't a child of this process or was reaped by somebody else.
    case unknown
}

/// Throws if the process can't have so many descriptors more.
func checkDescriptors(atLeast count: Int) throws(LoopError) {
    var spare: [Int32] = []
    defer { for descriptor in spare { close(descriptor) } }
    while spare.count < count {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
        spare.append(descriptor)
    }
}

/// Puts a new descriptor in the place of an old one.
private func replace(_ old: Int32, by new: Int32, call: String) throws(LoopError) {
    guard new >= 0 else { throw .system(call: call, errno: errno) }
    defer { close(new) }
    guard dup2(new, old) >= 0, fcntl(old, F_SETFD, FD_CLOEXEC) >= 0 else {
        throw .system(call: "dup2", errno: errno)
    }
}
