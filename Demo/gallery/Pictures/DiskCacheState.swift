internal import ImageLoading

/// The state of a disk cache: how much it keeps, whether it's swept, and whether it can be written.
struct DiskCacheState: Sendable {
    static let pause = Duration.seconds(60)

    /// The content's size; with a sweep under way, that of what was stored since it began.
    private(set) var kept = DiskCacheBound(bytes: 0, count: 0)
    private var isKnown = false
    private var isSweeping = false
    private var pausedUntil = Duration.zero
    /// Why something couldn't be written; nil if nothing was tried yet, or what was tried last was.
    private(set) var error: ThumbnailError?
    /// The number of failed writes.
    private(set) var failures = 0

    /// Begins to write something: how often that failed until now; nil if nothing is to be written.
    ///
    /// A clock that was set back must not make the pause longer.
    func begin(at now: Duration) -> Int? {
        (pausedUntil - Self.pause..<pausedUntil).contains(now) ? nil : failures
    }

    /// Something couldn't be written.
    mutating func noteTrouble(_ error: ThumbnailError, at now: Duration) {
        pausedUntil = now + Self.pause
        self.error = error
        failures += 1
    }

    /// A file was written; says whether a sweep is due.
    ///
    /// Trouble is over if there was none since that began: workers write at the same time.
    mutating func noteStored(bytes: Int, within bound: DiskCacheBound, since begin: Int) -> Bool {
        if begin == failures { error = nil }
        kept.add(bytes: DiskCacheBound.cost(of: bytes), count: 1)
        return !isSweeping && (!isKnown || kept.exceeds(bound))
    }

    /// Begins a sweep, unless one is under way.
    mutating func beginSweep() -> Bool {
        guard !isSweeping else { return false }
        isSweeping = true
        kept = DiskCacheBound(bytes: 0, count: 0)
        return true
    }

    /// A sweep has left so much.
    ///
    /// What came meanwhile may be counted twice: the next is due the sooner.
    mutating func endSweep(leaving found: DiskCacheBound) {
        kept.add(bytes: found.bytes, count: found.count)
        isKnown = true
        isSweeping = false
    }
}
