internal import IdleLoop

/// The job of a key in the queue: its fetch, if there is one, and then the slices of its load.
final class LoadJob {
    /// The entry whose job it is; nil before it was submitted, and when it has ended.
    var entry: LoadEntry?
    /// The kind of the load, as far as it was known before.
    let kind: WorkKind?
    /// The estimated cost of the fetch.
    let fetchCost: Duration
    /// Whether the fetch is an operation, not a worker's task.
    let isOperation: Bool
    /// The operation, while it runs.
    weak var operation: (any PendingOperation)?
    /// Whether it waits for its fetch, or is being fetched.
    var isFetching: Bool
    /// The demand to which it is charged, and whether its turn has begun on the loop.
    var turn: MergedDemand.Part?
    var hasBegunTurn = false
    /// The time spent on it.
    var spent = Duration.zero
    /// Whether its next slices run on lanes.
    var isOnLanes = false
    /// The slices that run anywhere, until their outcome is committed.
    var part: (any LoadOutcome)?
    /// Whether its load waits to be resumed.
    var isWaiting = false
    /// The number of the last list that wanted it, when none does any more.
    var givenUpBy: Int?
    /// Whether it was kept when nobody wanted it any more.
    var isKept = false
    /// Whether it was cancelled and has not ended yet.
    var isWithdrawn = false
    /// Whether its results are ignored, since the content of the key has changed.
    var isOutdated = false

    /// Its entry as long as its results are taken.
    var current: LoadEntry? { isOutdated ? nil : entry }

    /// A job with a fetch of an estimated cost, or with a load only.
    init(_ kind: WorkKind? = nil, fetchCost: Duration? = nil, isOperation: Bool = false) {
        self.kind = kind
        self.fetchCost = fetchCost ?? .zero
        self.isOperation = isOperation
        isFetching = fetchCost != nil
    }
}
