internal import IdleLoop

/// The state of a disk cache that all who write to it share: whether it can be written at all, and
/// whether a sweep is due.
final class DiskCacheState: Sendable {
    static let pause = Duration.seconds(60)
    private static let day = Duration.seconds(86_400)

    private struct Counts {
        var pausedUntil = Duration.zero
        var error: DiskCacheError?
        var failures = 0
        /// The size of what was stored since the last sweep began.
        var stored = DiskCacheSize()
        var lastSweep: Duration?
    }

    let bound: DiskCacheBound
    private let clock: (@Sendable () -> Duration)?
    private let counts = Guarded(Counts())

    init(bound: DiskCacheBound, clock: (@Sendable () -> Duration)?) {
        self.bound = bound
        self.clock = clock
    }

    /// The time since 1970.
    var now: Duration { clock?() ?? EntryStatus.systemTime }

    /// The error of the last attempt to write; nil if that succeeded, or there was none.
    var error: DiskCacheError? { counts.withLock { $0.error } }

    /// The number of failed attempts.
    var failures: Int { counts.withLock { $0.failures } }

    /// Whether nothing is to be written now.
    var isPaused: Bool {
        // A clock that was set back must not make the pause longer.
        let end = counts.withLock { $0.pausedUntil }
        return (end - Self.pause..<end).contains(now)
    }

    /// Notes that something couldn't be written: a full disk stays full for a while.
    func noteTrouble(_ error: DiskCacheError) {
        let now = now
        counts.withLock {
            $0.pausedUntil = now + Self.pause
            $0.error = error
            $0.failures += 1
        }
    }

    /// Notes that an entry was written by who began when there were so many failures.
    ///
    /// Trouble is over if there was none since: several write at the same time.
    func noteStored(bytes: Int, since failures: Int) {
        counts.withLock {
            if failures == $0.failures { $0.error = nil }
            $0.stored.add(cost: DiskCacheSize.cost(of: bytes))
        }
    }

    /// Begins a sweep if one is due: at first, when a sixteenth of the bound was stored since the
    /// last, and once a day.
    func beginSweep() -> Bool {
        let (now, reserve) = (now, bound.reserve)
        return counts.withLock {
            // A clock that was set back must not put it off.
            let isOld = $0.lastSweep.map { max($0 - now, now - $0) >= Self.day } ?? true
            guard isOld || reserve.isExceeded(by: $0.stored) else { return false }
            $0.stored = DiskCacheSize()
            $0.lastSweep = now
            return true
        }
    }
}
