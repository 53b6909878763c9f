internal import IdleLoop

/// A ``LoadMachine``'s state of a key, without the key and the results of its work, which
/// ``KeyedEntry`` adds.
///
/// A key is waiting, queued, or settled: it waits as long as it is wanted and has neither a job nor a
/// result.
///
/// ```text
/// waiting ── offered ──▶ queued ── loaded, failed ──▶ settled
///    ▲                     │                             │
///    └─────────────────────┴── job ended, started over ──┘
/// ```
///
/// It is an object, so that code that holds it sees its changes. Only its machine changes it, and its
/// ``LoadTable`` then updates the loader's orders.
class LoadEntry {
    /// The part of the work that is done.
    enum Stage: UInt8 {
        case nothing
        case fetched
        case begun
        case loaded
        case failed
    }

    /// The job of a key in the queue.
    struct Job {
        /// The number of the job; results of other jobs are ignored.
        let number: UInt64
        /// Whether it waits for its fetch, or is being fetched.
        var isFetching: Bool
        /// Whether the fetch is an operation, not a worker's task.
        let isOperation: Bool
        /// The estimated cost of the fetch.
        let fetchCost: Duration
        /// The demand to which it is charged, and whether its turn has begun on the loop.
        var turn: ListDemand?
        var hasBegunTurn = false
        /// The time spent on it.
        var spent = Duration.zero
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
    }

    /// The record of its table.
    final var record = LoadTable.Record()
    final var stage = Stage.nothing
    /// The job in the queue, until it has ended.
    final var job: Job?
    final var demand = MergedDemand()
    /// The numbers of the lists that have subscribed to it, the earliest first.
    final var subscribers: [Int] = []
    /// The number of the last update of a list that named it.
    final var lastMark: UInt64 = 0
    /// The place and the number of lists as last reported to observers of decisions, and whether it was
    /// reported that it has to wait.
    final var reported: (place: LoadOrder?, lists: Int) = (nil, 0)
    final var isWaitReported = false

    /// The version of what can be shown; versions of all keys come from one counter.
    final var version: UInt64 = 0
    /// The number of bytes that were fetched.
    final var fetchedBytes = 0
    /// The estimated cost on the loop.
    final var costHint: Duration?
    /// The time spent on the current load.
    final var spent: Duration = .zero
    /// The number of bytes it holds: of the value, or of unfinished work.
    final var bytes = 0 {
        didSet { mostBytes = max(mostBytes, bytes) }
    }
    /// The maximum number of bytes it has held; during a load that may be more than its value has.
    final var mostBytes = 0
    /// The time at which the last subscription ended; zero if there never was one.
    final var lastUsed: UInt64 = 0
    /// The time at which it began to wait, or was settled; it decides between equals.
    final var since: UInt64 = 0

    /// The number of failures in a row.
    final var failures = 0
    /// The time of the last failure.
    final var failed = Instant.zero
    /// The time of its retry, or the time limit of its fetch.
    final var deadline = Instant.distantFuture

    final var isGone: Bool { record.isGone }
    final var isWanted: Bool { !demand.isEmpty }
    final var isQueued: Bool { job != nil }
    final var isSettled: Bool { stage == .loaded || stage == .failed }
    final var isWaiting: Bool { isWanted && job == nil && !isSettled }
    final var isFetching: Bool { job?.isFetching ?? false }
    final var isSubscribed: Bool { !subscribers.isEmpty }
    /// Whether a list shows it, so that it is loaded whatever memory that takes.
    final var isInView: Bool { isSubscribed || demand.foremost?.own.urgency == .visible }

    /// Whether its job is kept although nobody wants it, after all that is wanted: its fetch goes on, or
    /// waits to be wanted again.
    final var isLeftOver: Bool {
        guard let job else { return false }
        return !job.isWithdrawn && !isWanted && !isSettled
    }

    /// Whether it is in progress, with a decoder or data that takes memory.
    final var isInProgress: Bool {
        switch stage {
        case .begun: true
        case .fetched: job == nil
        case .nothing: isFetching && bytes > 0
        case .loaded, .failed: false
        }
    }

    /// Whether its load is begun, and takes slices: not while it waits to be resumed.
    final var takesSlices: Bool { stage == .begun && job?.isWaiting != true }

    /// Whether it holds nothing and can be removed.
    final var isBlank: Bool {
        job == nil && stage == .nothing && subscribers.isEmpty && demand.isEmpty
    }

    /// The place in the order of work; nil if nobody wants it and no work is to be done.
    final var order: LoadOrder? { demand.foremost?.order ?? (isLeftOver ? .last : nil) }

    /// Its contribution to the loader's sums.
    final var counts: LoadCounts {
        var counts = LoadCounts()
        let isNear = demand.foremost.map { $0.own.urgency >= .near } ?? false
        counts.bytes = bytes
        counts.subscribed = isSubscribed ? 1 : 0
        counts.ahead = isNear && !isSubscribed ? 1 : 0
        if isFetching { counts.fetching = 1 }
        if isInProgress {
            counts.begun = takesSlices ? 1 : 0
            counts.workBytes = bytes
        }
        if isSettled {
            counts.settled = 1
            if isWanted || isSubscribed || isQueued {
                counts.needed = 1
                counts.neededBytes = bytes
            }
        } else if isWanted {
            counts.urgent = isNear ? 1 : 0
            counts.queued = isQueued ? 1 : 0
            counts.unsettledBytes = isQueued ? mostBytes : bytes
            counts.shownWaiting = isSubscribed && !isQueued ? 1 : 0
        }
        return counts
    }

    /// Its progress, as far as it is known without asking its worker.
    final var progress: LoadProgress {
        switch stage {
        case .loaded, .failed: .settled
        case .begun: .begun(spent: spent)
        case .fetched: .fetched
        case .nothing: .none
        }
    }

    /// Its name in explanations of decisions.
    var name: String { "" }

    /// Removes the results of the key's work and returns them, if there are any; release them after
    /// all changes are complete, as that may call back.
    func release() -> AnyObject? { nil }

    /// Marks it as named by the update with a number; returns false if it already is.
    final func mark(_ number: UInt64, costHint: Duration?) -> Bool {
        guard lastMark != number else { return false }
        lastMark = number
        if let costHint { self.costHint = costHint }
        return true
    }

    /// Discards the progress of its work, but not its results.
    final func forgetWork() {
        job?.isFetching = false
        fetchedBytes = 0
        spent = .zero
        bytes = 0
        deadline = .distantFuture
    }
}

/// A key's entry, with the results of its work.
final class KeyedEntry<Key: Hashable, Value>: LoadEntry {
    /// The results of a key's work.
    final class Contents {
        /// A function that makes a load of the fetched data.
        var fetched: (() throws -> any Load<Value>)?
        var load: (any Load<Value>)?
        /// The state that can be shown: a preview, the value or the failure; otherwise a
        /// placeholder.
        var shown = LoadState<Value>.placeholder
    }

    let key: Key
    /// The results; nil while there are none.
    private(set) var contents: Contents?
    /// The operation that fetches it, while it runs.
    weak var operation: (any PendingOperation)?

    init(_ key: Key) {
        self.key = key
    }

    override var name: String { "\(key)" }

    /// The state of its load.
    var state: LoadState<Value> {
        if let contents {
            switch contents.shown {
            case .loaded: return contents.shown
            case .failed(let error, _):
                return .failed(error, nextTry: deadline < .distantFuture ? deadline : nil)
            case .refined(let preview, _):
                return .refined(preview, share: contents.load?.share)
            default: break
            }
            if let load = contents.load { return .loading(share: load.share) }
        }
        if isFetching { return .fetching }
        return isWanted ? .queued : .placeholder
    }

    /// Whether there is a value, a preview or a failure to show.
    var canBeShown: Bool {
        switch contents?.shown {
        case .refined, .loaded, .failed: true
        case .placeholder, .queued, .fetching, .loading, nil: false
        }
    }

    /// The value or the preview that can be shown.
    var preview: Value? { contents?.shown.shown }

    override func release() -> AnyObject? {
        defer { contents = nil }
        return contents
    }

    /// Adds to the results.
    func add(_ change: (Contents) -> Void) {
        let contents = contents ?? Contents()
        change(contents)
        self.contents = contents
    }
}
