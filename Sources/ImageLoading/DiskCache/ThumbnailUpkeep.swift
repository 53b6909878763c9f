/// Tells when a thumbnail cache is due to be swept.
///
/// At the first thumbnail that is written, then for every sixteenth of the bound that was written
/// since, and once a day. A sweep makes that much room, so that the bound holds between two.
struct ThumbnailUpkeep {
    private let bound: ThumbnailBound
    private var bytesSince = 0
    private var lastTime: Duration?

    init(bound: ThumbnailBound) { self.bound = bound }

    /// What is to be free after a sweep, of a bound of so many bytes.
    static func reserve(of bytes: Int) -> Int { bytes / 16 }

    /// Counts an entry that was written.
    mutating func add(_ bytes: Int) { bytesSince += ThumbnailSweep.cost(of: bytes) }

    /// Whether it is time, which begins the next round.
    mutating func begin(now: Duration) -> Bool {
        let isFull = bound.bytes.map { bytesSince > Self.reserve(of: $0) } ?? false
        // A clock that was set back must not put it off.
        let isOld = lastTime.map { abs(($0 - now).components.seconds) >= 86_400 } ?? true
        guard isFull || isOld else { return false }
        bytesSince = 0
        lastTime = now
        return true
    }
}
