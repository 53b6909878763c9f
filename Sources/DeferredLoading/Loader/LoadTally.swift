/// Sums over a loader's keys, kept as they change.
struct LoadTally: Equatable {
    /// Values and failures that are there.
    var settled = 0
    /// Those of them that are wanted or shown, or whose jobs are still to end.
    var needed = 0
    /// Bytes held in all, and by those that are needed.
    var bytes = 0
    var neededBytes = 0
    /// Entries that are wanted and on their way, and the bytes they're known to come to.
    var claims = 0
    var claimedBytes = 0
    /// Those of them that are in the queue, and that wait there for nothing but a lull.
    var queued = 0
    var ready = 0
    /// Fetches that are under way, or wait for a worker.
    var fetching = 0

    /// Adds another, or with -1 takes it away.
    mutating func add(_ other: LoadTally, times sign: Int) {
        settled += sign * other.settled
        needed += sign * other.needed
        bytes += sign * other.bytes
        neededBytes += sign * other.neededBytes
        claims += sign * other.claims
        claimedBytes += sign * other.claimedBytes
        queued += sign * other.queued
        ready += sign * other.ready
        fetching += sign * other.fetching
    }
}
