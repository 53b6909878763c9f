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
    /// The number of loads in progress.
    var inProgress = 0
    /// The number of jobs that go on although nobody wants them.
    var leftOver = 0

    /// The contribution of an entry.
    init(of entry: LoadEntry) {
        let isNear = entry.demand.foremost.map { $0.own.urgency >= .near } ?? false
        bytes = entry.bytes
        subscribed = entry.isSubscribed ? 1 : 0
        ahead = isNear && !entry.isSubscribed ? 1 : 0
        fetching = entry.isFetching ? 1 : 0
        leftOver = entry.isLeftOver ? 1 : 0
        inProgress = entry.isInProgress ? 1 : 0
        if entry.isSettled {
            settled = 1
            if entry.isWanted || entry.isSubscribed || entry.isQueued {
                needed = 1
                neededBytes = bytes
            }
        } else if entry.isWanted {
            urgent = isNear ? 1 : 0
            queued = entry.isQueued ? 1 : 0
            unsettledBytes = entry.isQueued ? entry.mostBytes : bytes
            shownWaiting = entry.isSubscribed && !entry.isQueued ? 1 : 0
        }
    }

    init() {}

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
        inProgress += sign * other.inProgress
        leftOver += sign * other.leftOver
    }
}
