internal import CLullLibevent
internal import LullLibC

/// What wakes a loop for its earliest timer: a timerfd, exact to microseconds, or the loop's host, if
/// that has its own timers.
struct TimerAlarm: ~Copyable {
    /// The descriptor of the timerfd, which is readable when that has gone off.
    let descriptor: Int32
    /// The time to which it's set.
    private var moment = Instant.distantFuture
    /// Whether it has gone off since the timers were fired last.
    private(set) var hasExpired = false

    private static let flags = Int32(TFD_NONBLOCK | TFD_CLOEXEC)

    init() throws(LoopError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, TimerAlarm.flags)
        guard descriptor >= 0 else { throw .system(call: "timerfd_create", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Sets it to a time, `distantFuture` for none; it makes a system call only if that is another.
    mutating func set(to next: Instant, on guest: LoopGuest?) throws(LoopError) {
        guard next != moment else { return }
        if let guest, guest.isWokenByHost {
            guest.host.wake(at: next < .distantFuture ? next : nil)
        } else {
            try setTimer(to: next)
        }
        moment = next
    }

    private func setTimer(to next: Instant) throws(LoopError) {
        var setting = itimerspec()
        if next < .distantFuture {
            let nanoseconds = max(next.nanoseconds, 1)  // zero would disarm it
            setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        guard unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0
        else { throw .system(call: "timerfd_settime", errno: errno) }
    }

    /// Reads the timerfd, which has gone off.
    mutating func read() {
        var count: UInt64 = 0
        _ = unsafe LullLibC.read(descriptor, &count, MemoryLayout<UInt64>.size)
        hasExpired = true
    }

    /// Notes whether the time has come that the host was told.
    mutating func check(at now: Instant) { hasExpired = moment <= now }

    /// Notes that timers are being fired; returns false if it hasn't gone off.
    mutating func take() -> Bool {
        guard hasExpired else { return false }
        hasExpired = false
        moment = .distantFuture
        return true
    }

    /// Replaces the timerfd under the same number, so that a forked child doesn't share its
    /// parent's; the new one isn't set yet.
    mutating func renew() throws(LoopError) {
        let timer = timerfd_create(CLOCK_MONOTONIC, TimerAlarm.flags)
        try replace(descriptor, by: timer, call: "timerfd_create")
        moment = .distantFuture
        hasExpired = false
    }
}
