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

    /// The number of its slot in the table; -1 before it is added, and once it is removed.
    final var slot = -1
    /// Whether it waited, and its contribution to the sums, when the table looked last.
    final var hasWaited = false
    final var counted = LoadCounts()
    final var stage = Stage.nothing
    /// The job in the queue, until it has ended.
    final var job: LoadJob? {
        didSet {
            oldValue?.entry = nil
            job?.entry = self
        }
    }
    final var demand = MergedDemand()
    /// The numbers of the lists that have subscribed to it, the earliest first.
    final var subscribers: [Int] = []
    /// The number of the last update of a list that named it.
    final var lastMark: UInt64 = 0
    /// The place as last reported to observers of decisions, and whether it was reported that it has to
    /// wait.
    final var reported: LoadOrder?
    final var isWaitReported = false

    /// The version of what can be shown; versions of all keys come from one counter.
    final var version: UInt64 = 0
    /// The number of bytes that were fetched.
    final var fetchedBytes = 0
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

    /// Whether its load is begun, and takes slices of the loop's: not while it waits to be resumed, or
    /// runs on lanes.
    final var takesSlices: Bool {
        stage == .begun && job?.isWaiting != true && job?.isOnLanes != true
    }

    /// Whether it holds nothing and can be removed.
    final var isBlank: Bool {
        job == nil && stage == .nothing && subscribers.isEmpty && demand.isEmpty
    }

    /// The place in the order of work; nil if nobody wants it and no work is to be done.
    final var order: LoadOrder? { demand.foremost?.order ?? (isLeftOver ? .last : nil) }

    /// Its progress, as far as it is known without asking its worker.
    final var progress: LoadProgress {
        switch stage {
        case .loaded, .failed: .settled
        case .begun: .begun(spent: spent)
        case .fetched: .fetched
        case .nothing: .none
        }
    }

    /// Discards the progress of its work, but not its results.
    final func forgetWork() {
        job?.isFetching = false
        fetchedBytes = 0
        spent = .zero
        bytes = 0
        deadline = .distantFuture
    }

    // MARK: - What a key adds

    /// Its name in explanations of decisions.
    var name: String { "" }

    /// Whether there is a value, a preview or a failure to show.
    var canBeShown: Bool { false }

    /// Removes the results of the key's work and returns them, if there are any; release them after
    /// all changes are complete, as that may call back.
    func release() -> Any? { nil }
}
