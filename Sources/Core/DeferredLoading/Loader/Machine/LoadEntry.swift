internal import IdleLoop

/// A ``LoadMachine``'s state of a key, without the key and the results of its work, which
/// ``KeyedEntry`` adds.
///
/// It is an object, so that code that holds it across a callback sees its changes. It is changed by
/// its machine alone, whose ``LoadTable`` maintains its position in the loader's orders.
class LoadEntry {
    /// The number of its slot in the table; -1 while it has none.
    final var slot = -1
    /// Whether it was removed from the table.
    final var isGone = false
    final var life = LoadLife()
    final var wishes = JoinedWishes()
    /// The level and the number of lists as last reported to observers of decisions.
    final var notedPlace: WishLevel?
    final var notedLists = 0
    /// The lists that have subscribed to it.
    final var subscribers: [(list: Int, since: UInt64)] = []

    /// The generation of the key's content; a result of an older one is discarded.
    final var generation: UInt64 = 0
    /// The number of its job in the queue; results of other jobs are ignored.
    final var ticket: UInt64 = 0
    /// Whether the job in the queue waits for its fetch, or is being fetched.
    final var isFetching = false
    /// Whether the fetch is an operation, not a worker's task.
    final var fetchesByItself = false
    /// The number of bytes that were fetched.
    final var fetchedBytes = 0
    /// The estimated cost on the loop.
    final var costHint: Duration?
    /// The time spent on the current load, and by the current job.
    final var spent: Duration = .zero
    final var spentByJob: Duration = .zero
    /// The request to which the current job is charged, and whether its turn has begun on the loop.
    final var turn: ListWish?
    final var hasBegunTurn = false
    /// The estimated cost of the current fetch.
    final var fetchCost: Duration = .zero
    /// The version of what can be shown; versions of all keys come from one counter.
    final var version: UInt64 = 0
    /// The number of the last reconciliation that named it.
    final var mark: UInt64 = 0

    /// The number of bytes it holds: of the value, or of unfinished work.
    final var bytes = 0 {
        didSet { mostBytes = max(mostBytes, bytes) }
    }
    /// The maximum number of bytes it has held; during a load that may be more than its value has.
    final var mostBytes = 0
    /// The time at which the last subscription ended; zero if there never was one.
    final var lastUsed: UInt64 = 0
    /// The time at which it came to its place, or was settled; it decides between equals.
    final var since: UInt64 = 0

    /// The number of failures in a row.
    final var failures = 0
    /// The time of its retry, or the time limit of its fetch.
    final var deadline = Instant.distantFuture
    /// Whether its progress is still to be reported to lists.
    final var hasProgress = false
    /// Whether its rejection by the queue was reported.
    final var isRejectionReported = false
    /// Its contribution to the loader's sums, as last added.
    final var counted = LoadTally()

    /// The level of its turn; nil if no work is to be done.
    final var level: WishLevel? {
        switch life.claim {
        case .none: nil
        case .wanted: wishes.foremost?.level
        case .kept: .last
        }
    }

    /// Whether it holds nothing and can be removed.
    final var isBlank: Bool {
        life.place == .nowhere && life.stage == .nothing && subscribers.isEmpty && wishes.isEmpty
    }

    final var isSubscribed: Bool { !subscribers.isEmpty }

    /// Its contribution to the loader's sums.
    final var tally: LoadTally {
        let isNeeded = life.isWanted || isSubscribed || life.place == .queued
        let isClaiming = life.isWanted && (life.place == .held || life.place == .queued)
        var tally = LoadTally()
        tally.bytes = bytes
        if isFetching { tally.fetching = 1 }
        if life.isSettled {
            tally.settled = 1
            if isNeeded {
                tally.needed = 1
                tally.neededBytes = bytes
            }
        } else if isClaiming {
            tally.claims = 1
            tally.claimedBytes = mostBytes
            if life.place == .queued {
                tally.queued = 1
                if !isFetching, !life.isWithdrawn { tally.ready = 1 }
            }
        }
        return tally
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

    /// Discards the progress of its work.
    final func forgetWork() {
        fetchedBytes = 0
        spent = .zero
        bytes = 0
        deadline = .distantFuture
    }

    /// Its name in explanations of decisions.
    var name: String { "" }

    /// Removes the results of the key's work and returns them, if there are any; release them after
    /// all changes are complete, as that may call back.
    func release() -> AnyObject? { nil }
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
    var contents: Contents?
    /// The operation that fetches it, while it runs.
    weak var operation: (any PendingOperation)?

    init(_ key: Key) {
        self.key = key
    }

    override var name: String { "\(key)" }

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
