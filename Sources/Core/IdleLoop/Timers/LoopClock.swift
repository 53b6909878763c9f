internal import CLullLibevent
internal import LullLibC

/// The clock of a loop: the machine's monotonic clock, or virtual time.
///
/// All time in this package is read through a loop clock; libevent's own clock is never read.
public enum LoopClock {
    /// The machine's monotonic clock.
    case monotonic
    /// A virtual time, which moves only when the loop sleeps or a cost is charged.
    case virtual(VirtualTime)

    /// Whether it's a virtual time.
    package var isVirtual: Bool {
        if case .virtual = self { true } else { false }
    }

    /// The current time.
    public var now: Instant {
        switch self {
        case .monotonic:
            var time = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        case .virtual(let time):
            return time.now
        }
    }
}
