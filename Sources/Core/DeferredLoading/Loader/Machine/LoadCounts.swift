/// Sums over a loader's keys, maintained as the keys change.
struct LoadCounts: Equatable {
    /// The number of values and failures.
    var settled = 0
    /// The number of values and failures that are wanted or shown, or whose jobs have not ended.
    var needed = 0
    /// The number of bytes held in all, and by those that are needed.
    var bytes = 0
    var neededBytes = 0
    /// The number of wanted entries without a result that a list shows or is about to show.
    var urgent = 0
    /// The number of wanted entries without a result whose jobs are in the queue, and of those outside
    /// it that a list shows; and the bytes that the former are known to need, and the others hold.
    var queued = 0
    var shownWaiting = 0
    var unsettledBytes = 0
    /// The number of entries that lists show.
    var subscribed = 0
    /// The number of others that lists which move are about to show.
    var ahead = 0
    /// The number of fetches that run or wait for a worker.
    var fetching = 0
    /// The number of loads that are begun and take slices, and the bytes of all work in progress.
    var begun = 0
    var workBytes = 0

    /// Adds other sums, or subtracts it with -1.
    mutating func add(_ other: LoadCounts, times sign: Int) {
        settled += sign * other.settled
        needed += sign * other.needed
        bytes += sign * other.bytes
        neededBytes += sign * other.neededBytes
        urgent += sign * other.urgent
        queued += sign * other.queued
        unsettledBytes += sign * other.unsettledBytes
        shownWaiting += sign * other.shownWaiting
        subscribed += sign * other.subscribed
        ahead += sign * other.ahead
        fetching += sign * other.fetching
        begun += sign * other.begun
        workBytes += sign * other.workBytes
    }
}
