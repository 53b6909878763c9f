internal import CLibevent
internal import Glibc

/// An eventfd: a bell that any thread can ring and the loop hears.
struct Bell: ~Copyable, Sendable {
    let descriptor: Int32

    init(semaphore: Bool = false, blocking: Bool = false) throws(LoopError) {
        var flags = Int32(EFD_CLOEXEC)
        if !blocking { flags |= Int32(EFD_NONBLOCK) }
        if semaphore { flags |= Int32(EFD_SEMAPHORE) }
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
}

/// A timerfd: one alarm for all the timers of a loop, exact to microseconds.
struct Alarm: ~Copyable {
    let descriptor: Int32

    init() throws(LoopError) {
        descriptor = timerfd_create(
            CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
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
}
