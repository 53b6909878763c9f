internal import IdleLoop
internal import LullLibC

/// The state of a disk cache that is shared by all its writers: whether writing is paused, and
/// whether a sweep is due.
final class DiskCacheState: Sendable {
    static let pause = Duration.seconds(60)
    private static let day = Duration.seconds(86_400)

    private struct Counts {
        var pausedUntil = Duration.zero
        var error: DiskCacheError?
        var failures = 0
        /// The size of the entries that were stored since the last sweep began.
        var stored = DiskCacheSize()
        var lastSweep: Duration?
        /// The size of the entries that the last sweep has left.
        var kept = DiskCacheSize()
    }

    let bound: DiskCacheBound
    private let clock: (@Sendable () -> Duration)?
    private let counts = Guarded(Counts())

    init(bound: DiskCacheBound, clock: (@Sendable () -> Duration)?) {
        self.bound = bound
        self.clock = clock
    }

    /// The time since 1970.
    var now: Duration {
        if let clock { return clock() }
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The error of the last attempt to write; nil if it succeeded, or if there was none.
    var error: DiskCacheError? { counts.withLock { $0.error } }

    /// The number of failed attempts to write.
    var failures: Int { counts.withLock { $0.failures } }

    /// Whether writing is paused.
    var isPaused: Bool {
        // A clock that was set back must not prolong the pause.
        let end = counts.withLock { $0.pausedUntil }
        return (end - Self.pause..<end).contains(now)
    }

    /// Whether the entries are as many as a sweep leaves, so that it wouldn't leave one more.
    var isFull: Bool {
        var size = counts.withLock { $0.kept + $0.stored }
        size.add(cost: DiskCacheSize.cost(of: 1))
        return bound.afterSweep.isExceeded(by: size)
    }

    /// Records the size of the entries that a sweep has left.
    func endSweep(leaving size: DiskCacheSize) { counts.withLock { $0.kept = size } }

    /// Records a failure to write, and pauses: a full disk stays full for a while.
    func recordFailure(_ error: DiskCacheError) {
        let now = now
        counts.withLock {
            $0.pausedUntil = now + Self.pause
            $0.error = error
            $0.failures += 1
        }
    }

    /// Records that an entry was written whose writer began when there were this many failures.
    ///
    /// The error is cleared if there was no failure since: several may write at the same time.
    func recordStored(bytes: Int, since failures: Int) {
        counts.withLock {
            if failures == $0.failures { $0.error = nil }
            $0.stored.add(cost: DiskCacheSize.cost(of: bytes))
        }
    }

    /// Begins a sweep if one is due: at first, when a sixteenth of the bound was stored since the
    /// last one, and once a day.
    func beginSweep() -> Bool {
        let (now, reserve) = (now, bound.reserve)
        return counts.withLock {
            // A clock that was set back must not delay the sweep.
            let isOld = $0.lastSweep.map { max($0 - now, now - $0) >= Self.day } ?? true
            guard isOld || reserve.isExceeded(by: $0.stored) else { return false }
            $0.stored = DiskCacheSize()
            $0.lastSweep = now
            return true
        }
    }
}
