internal import CLibevent
internal import Glibc

/// Where a loop takes its time from: the machine's monotonic clock, or virtual time.
///
/// All time in this package goes through one of these; libevent's own clock is never read.
public enum LoopClock {
    /// The machine's monotonic clock.
    case monotonic
    /// A time that only moves when the loop sleeps or something is charged.
    case virtual(VirtualTime)

    /// Whether it's a virtual time.
    var isVirtual: Bool {
        if case .virtual = self { true } else { false }
    }

    /// The present moment.
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
