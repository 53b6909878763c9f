/// What is known of a shelf's content, and what goes on there.
struct ShelfBook: Sendable {
    static let pause = Duration.seconds(60)

    /// What is there; with a sweep under way, what was put there since it began.
    private(set) var kept = ShelfBound(bytes: 0, count: 0)
    private var isKnown = false
    private var isSweeping = false
    private var pausedUntil = Duration.zero

    /// Whether nothing is to be stored now; a clock that was set back must not make it longer.
    func isPaused(at now: Duration) -> Bool {
        (pausedUntil - Self.pause..<pausedUntil).contains(now)
    }

    /// Something couldn't be written.
    mutating func noteTrouble(at now: Duration) {
        pausedUntil = now + Self.pause
    }

    /// A file was written; says whether a sweep is due.
    mutating func noteStored(bytes: Int, within bound: ShelfBound) -> Bool {
        kept.add(bytes: ShelfBound.cost(of: bytes), count: 1)
        return !isSweeping && (!isKnown || kept.exceeds(bound))
    }

    /// Begins a sweep, unless one is under way.
    mutating func beginSweep() -> Bool {
        guard !isSweeping else { return false }
        isSweeping = true
        kept = ShelfBound(bytes: 0, count: 0)
        return true
    }

    /// A sweep has left so much.
    ///
    /// What came meanwhile may be counted twice: the next is due the sooner.
    mutating func endSweep(leaving found: ShelfBound) {
        kept.add(bytes: found.bytes, count: found.count)
        isKnown = true
        isSweeping = false
    }
}
