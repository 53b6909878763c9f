internal import IdleLoop

/// A ``LoadMachine``'s state of a key, without the key and the results of its work, which
/// ``KeyedEntry`` adds.
///
/// It is an object, so that code that holds it across a callback sees its changes. Only its machine
/// calls the methods that change it, and its ``LoadTable`` then updates the loader's orders.
class LoadEntry {
    /// The job of a key in the queue.
    struct Job {
        /// The number of the job; results of other jobs are ignored.
        let number: UInt64
        /// Whether it waits for its fetch, or is being fetched.
        fileprivate(set) var isFetching: Bool
        /// Whether its load waits to be resumed.
        fileprivate(set) var isWaiting = false
        /// Whether the fetch is an operation, not a worker's task.
        let isOperation: Bool
        /// The estimated cost of the fetch.
        let fetchCost: Duration
        /// The time spent on it.
        fileprivate(set) var spent = Duration.zero
        /// The demand to which it is charged, and whether its turn has begun on the loop.
        fileprivate(set) var turn: ListDemand?
        fileprivate(set) var hasBegunTurn = false
    }

    /// The record of its table.
    final var record = LoadTable.Record()
    private(set) final var life = LoadLife()
    private(set) final var job: Job?
    private(set) final var demand = MergedDemand()
    /// The number of the last update of a list that named it.
    private final var lastMark: UInt64 = 0
    /// The level and the number of lists as last reported to observers of decisions.
    private final var reportedPlace: DemandLevel?
    private final var reportedLists = 0
    /// The lists that have subscribed to it.
    private(set) final var subscribers: [(list: Int, since: UInt64)] = []

    /// The generation of the key's content; a result of an older one is discarded.
    private(set) final var generation: UInt64 = 0
    /// The version of what can be shown; versions of all keys come from one counter.
    private(set) final var version: UInt64 = 0
    /// The number of bytes that were fetched.
    private(set) final var fetchedBytes = 0
    /// The estimated cost on the loop.
    private(set) final var costHint: Duration?
    /// The time spent on the current load.
    private(set) final var spent: Duration = .zero
    /// The number of bytes it holds: of the value, or of unfinished work.
    private(set) final var bytes = 0 {
        didSet { mostBytes = max(mostBytes, bytes) }
    }
    /// The maximum number of bytes it has held; during a load that may be more than its value has.
    private(set) final var mostBytes = 0
    /// The time at which the last subscription ended; zero if there never was one.
    private(set) final var lastUsed: UInt64 = 0
    /// The time at which it came to its place, or was settled; it decides between equals.
    private(set) final var since: UInt64 = 0

    /// The number of failures in a row.
    private(set) final var failures = 0
    /// The time of the last failure.
    private(set) final var failed = Instant.zero
    /// The time of its retry, or the time limit of its fetch.
    private(set) final var deadline = Instant.distantFuture
    /// Whether its rejection by the queue was reported.
    private final var isRejectionReported = false

    final var isGone: Bool { record.isGone }
    final var isFetching: Bool { job?.isFetching ?? false }
    final var isSubscribed: Bool { !subscribers.isEmpty }
    /// Whether a list shows it, so that it is loaded whatever memory that takes.
    final var isInView: Bool { isSubscribed || demand.foremost?.urgency == .visible }

    /// Whether it is in progress, with a decoder that takes memory.
    final var isInProgress: Bool {
        switch (life.place, life.stage) {
        case (.queued, .begun), (.waiting, .begun): true
        case (.queued, .nothing): isFetching && bytes > 0
        default: false
        }
    }

    /// Whether its load is begun, and takes slices: not while it waits to be resumed.
    final var takesSlices: Bool { life.stage == .begun && job?.isWaiting != true }

    /// Whether it holds nothing and can be removed.
    final var isBlank: Bool {
        life.place == .nowhere && life.stage == .nothing && subscribers.isEmpty && demand.isEmpty
    }

    /// The level of its turn; nil if no work is to be done.
    final var level: DemandLevel? {
        switch life.claim {
        case .none: nil
        case .wanted: demand.foremost?.level
        case .finishing: .last
        }
    }

    /// Its contribution to the loader's sums.
    final var counts: LoadCounts {
        let isNeeded = life.isWanted || isSubscribed || life.place == .queued
        let isClaiming = life.isWanted && (life.place == .waiting || life.place == .queued)
        var counts = LoadCounts()
        counts.bytes = bytes
        if isFetching { counts.fetching = 1 }
        if isInProgress {
            counts.begun = takesSlices ? 1 : 0
            counts.workBytes = bytes
        }
        let isNear = demand.foremost.map { $0.urgency >= .near } ?? false
        counts.subscribed = isSubscribed ? 1 : 0
        counts.ahead = isNear && !isSubscribed ? 1 : 0
        if life.isSettled {
            counts.settled = 1
            if isNeeded {
                counts.needed = 1
                counts.neededBytes = bytes
            }
        } else if isClaiming {
            counts.claims = 1
            counts.claimedBytes = mostBytes
            if isNear { counts.urgent = 1 }
            if life.place == .queued {
                counts.queued = 1
                let isReady = job.map { !$0.isFetching && !$0.isWaiting } ?? true
                if isReady, !life.isWithdrawn { counts.ready = 1 }
            }
        }
        return counts
    }

    /// Its progress, as far as it is known without asking its worker.
    final var progress: LoadProgress {
        switch life.stage {
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

    // MARK: - Demand and subscriptions

    /// Marks it as named by the update with a number; returns false if it already is.
    final func mark(_ number: UInt64, costHint: Duration?) -> Bool {
        guard lastMark != number else { return false }
        lastMark = number
        if let costHint { self.costHint = costHint }
        return true
    }

    final func isMarked(_ number: UInt64) -> Bool { lastMark == number }

    final func setDemand(_ demand: ListDemand?, ofList number: Int) {
        self.demand[number] = demand
    }

    /// Returns the level and the number of lists at the last call, and stores those of now.
    final func takeReportedDemand() -> (place: DemandLevel?, lists: Int) {
        defer { (reportedPlace, reportedLists) = (demand.place, demand.count) }
        return (reportedPlace, reportedLists)
    }

    final func subscribe(_ list: Int, at time: UInt64) {
        subscribers.append((list, time))
    }

    final func unsubscribe(_ list: Int, at time: UInt64) {
        subscribers.removeAll { $0.list == list }
        lastUsed = time
    }

    final func use(at time: UInt64) { lastUsed = time }

    // MARK: - Life

    /// Sends an event to its life cycle; `tick` returns the time, if it comes to another place.
    final func handle(_ event: LoadLife.Event, tick: () -> UInt64) -> LoadLife.Action {
        let place = life.place
        let action = life.handle(event)
        if life.place != place, life.place != .queued {
            since = tick()
            isRejectionReported = false
        }
        return action
    }

    /// Returns whether its rejection is to be reported: once at each place.
    final func reportsRejection() -> Bool {
        defer { isRejectionReported = true }
        return !isRejectionReported
    }

    // MARK: - The job

    /// Gives it a job, whose fetch has a deadline.
    final func begin(_ job: Job, deadline: Instant?) {
        self.job = job
        self.deadline = deadline ?? .distantFuture
    }

    /// Begins the turn of a demand on the loop, to which its job is charged.
    final func beginTurn(_ demand: ListDemand) {
        job?.turn = demand
        job?.hasBegunTurn = true
    }

    /// Notes whether its load waits to be resumed.
    final func wait(_ waits: Bool) { job?.isWaiting = waits }

    final func spend(_ cost: Duration) {
        spent += cost
        job?.spent += cost
    }

    /// Adds the time of a worker to that of its job.
    final func spendFetch(_ cost: Duration) { job?.spent += cost }

    final func storeFetch(bytes: Int) {
        job?.isFetching = false
        deadline = .distantFuture
        fetchedBytes = bytes
        self.bytes = bytes
    }

    /// Removes and returns its job, whose later results are ignored.
    final func endJob() -> Job? {
        if isFetching { deadline = .distantFuture }
        return job.take()
    }

    // MARK: - Work

    final func hold(_ bytes: Int) { self.bytes = bytes }

    /// Discards the progress of its work.
    final func reset(at time: UInt64) {
        version = time
        forgetWork()
    }

    private final func forgetWork() {
        fetchedBytes = 0
        spent = .zero
        bytes = 0
        deadline = .distantFuture
    }

    /// Begins a new generation: results that are on their way are ignored.
    final func renew(at time: UInt64) {
        generation = time
        job?.isFetching = false
    }

    /// Ends its work with a value of so many bytes, or with a failure.
    final func settle(bytes: Int, isFailure: Bool, at time: UInt64) {
        job?.isFetching = false
        forgetWork()
        self.bytes = bytes
        since = time
        failures = isFailure ? failures + 1 : 0
    }

    /// Sets the time of its last failure.
    final func fail(at time: Instant) { failed = time }

    /// Resets the number of failures, and the maximum of its bytes if its content has changed.
    final func forgetFailures(contentHasChanged: Bool = false) {
        failures = 0
        if contentHasChanged { mostBytes = 0 }
    }

    /// Sets the time of its retry, or the time limit of its fetch.
    final func wait(until deadline: Instant) { self.deadline = deadline }

    /// Gives what can be shown a new version.
    final func publish(at time: UInt64) { version = time }
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
            if life.stage == .loaded { return contents.shown }
            switch contents.shown {
            case .failed(let error, _):
                return .failed(error, nextTry: deadline < .distantFuture ? deadline : nil)
            case .refined(let preview, _):
                return .refined(preview, share: contents.load?.share)
            default: break
            }
            if let load = contents.load, !isFetching { return .loading(share: load.share) }
        }
        if isFetching { return .fetching }
        return life.isWanted ? .queued : .placeholder
    }

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

    /// Replaces all results by a final one, and returns the old ones.
    func settle(_ result: LoadState<Value>) -> AnyObject? {
        let done = release()
        add { $0.shown = result }
        return done
    }
}
