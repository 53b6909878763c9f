/// What wakes a loop for its earliest timer: a timerfd, or the loop's host, if that has its own.
struct TimerAlarm: ~Copyable {
    private let timerFD: TimerFD
    /// The time to which it's set.
    private var moment = Instant.distantFuture
    /// Whether it has gone off since the timers were fired last.
    private(set) var hasExpired = false

    init() throws(LoopError) {
        timerFD = try TimerFD()
    }

    /// The descriptor that is readable when the timerfd goes off.
    var descriptor: Int32 { timerFD.descriptor }

    /// Sets it to a time, `distantFuture` for none; it makes a system call only if that is another.
    mutating func set(to next: Instant, on guest: LoopGuest?) throws(LoopError) {
        guard next != moment else { return }
        let wanted = next < .distantFuture ? next : nil
        if let guest, guest.isWokenByHost {
            guest.host.wake(at: wanted)
        } else {
            try timerFD.set(to: wanted)
        }
        moment = next
    }

    /// Reads the timerfd, which has gone off.
    mutating func read() {
        timerFD.clear()
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

    /// Replaces the timerfd in a forked child; the new one isn't set yet.
    mutating func renew() throws(LoopError) {
        try timerFD.renew()
        moment = .distantFuture
        hasExpired = false
    }
}
