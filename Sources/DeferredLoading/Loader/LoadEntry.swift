internal import IdleLoop

/// A ``LoadMachine``'s state of a key, without the key itself and without what was done for it:
/// ``KeyedEntry`` has these.
///
/// An object, so that whoever holds it across a callback sees what became of it meanwhile. It's
/// changed by its machine alone, whose ``LoadTable`` keeps its place in the loader's orders.
class LoadEntry {
    /// Its number in the table; -1 as long as that doesn't know it.
    final var slot = -1
    /// Whether the table has let go of it.
    final var isGone = false
    final var life = LoadLife()
    final var wishes = JoinedWishes()
    /// Its place, and its number of lists, as last told to those who listen to decisions.
    final var notedPlace: WishLevel?
    final var notedLists = 0
    /// The lists that are told of it.
    final var subscribers: [(list: Int, since: UInt64)] = []

    /// The generation of what the key stands for; a result of an older one is thrown away.
    final var generation: UInt64 = 0
    /// Of the job in the queue; what comes from another is nobody's.
    final var ticket: UInt64 = 0
    /// Whether the job in the queue is still to be fetched, or being fetched.
    final var isFetching = false
    /// Whether that is done by an operation, not by a worker.
    final var fetchesByItself = false
    /// The bytes of what was fetched.
    final var fetchedBytes = 0
    /// The estimate of its cost on the loop.
    final var costHint: Duration?
    /// The time spent on the load at hand, and by the job at hand.
    final var spent: Duration = .zero
    final var spentByJob: Duration = .zero
    /// The list that the job at hand is charged to, and its turn; and whether it was begun on the loop.
    final var turn: ListWish?
    final var hasBegunTurn = false
    /// The estimate of the fetch at hand.
    final var fetchCost: Duration = .zero
    /// Counts what could be shown, of all keys.
    final var version: UInt64 = 0
    /// The last reconciliation that named it.
    final var mark: UInt64 = 0

    /// The bytes it holds: of the value, or of what was done for it.
    final var bytes = 0 {
        didSet { mostBytes = max(mostBytes, bytes) }
    }
    /// The most it has held: while it's loaded that may be more than its value has.
    final var mostBytes = 0
    /// When the last subscription ended; zero if there never was one.
    final var lastUsed: UInt64 = 0
    /// When it came to its place, or was settled: what decides between equals.
    final var since: UInt64 = 0

    /// The number of failures in a row.
    final var failures = 0
    /// When it's tried again, or its fetch has taken too long.
    final var deadline = Instant.distantFuture
    /// Whether lists are to be told how far it has come.
    final var hasProgress = false
    /// Whether it was said that the queue has no room.
    final var isRejectionReported = false
    /// Its part of the loader's sums.
    final var counted = LoadTally()

    /// When its turn comes; nil if nobody's work it is.
    final var level: WishLevel? {
        switch life.claim {
        case .none: nil
        case .wanted: wishes.foremost?.level
        case .kept: .last
        }
    }

    /// Whether there is nothing here worth knowing.
    final var isBlank: Bool {
        life.place == .nowhere && life.stage == .nothing && subscribers.isEmpty && wishes.isEmpty
    }

    final var isSubscribed: Bool { !subscribers.isEmpty }

    /// Its part of the loader's sums.
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

    /// Its progress, as far as that is known without asking its worker.
    final var progress: LoadProgress {
        switch life.stage {
        case .loaded, .failed: .settled
        case .begun: .begun(spent: spent)
        case .fetched: .fetched
        case .nothing: .none
        }
    }

    /// Forgets how far its work had come.
    final func forgetWork() {
        fetchedBytes = 0
        spent = .zero
        bytes = 0
        deadline = .distantFuture
    }

    /// Its name where a decision is explained.
    var name: String { "" }

    /// Takes away what was done for the key, and returns it, if there was anything: it must not go
    /// before all is said, as it may call back.
    func release() -> AnyObject? { nil }
}

/// A key's entry, with all that was done for it.
final class KeyedEntry<Key: Hashable, Value>: LoadEntry {
    /// The results of the key's work.
    final class Contents {
        /// Makes a load of what was fetched.
        var fetched: (() throws -> any Load<Value>)?
        var load: (any Load<Value>)?
        /// The part that can be shown: a preview, the value or the failure; else a placeholder.
        var shown = LoadState<Value>.placeholder
    }

    let key: Key
    /// Nil while there's nothing.
    var contents: Contents?
    /// The operation that fetches it, while it's under way.
    weak var operation: (any PendingOperation)?

    init(_ key: Key) {
        self.key = key
    }

    override var name: String { "\(key)" }

    override func release() -> AnyObject? {
        defer { contents = nil }
        return contents
    }

    /// Adds to what was done.
    func add(_ change: (Contents) -> Void) {
        let contents = contents ?? Contents()
        change(contents)
        self.contents = contents
    }

    /// Puts a result in the place of all that was done, and returns that.
    func settle(_ result: LoadState<Value>) -> AnyObject? {
        let done = release()
        add { $0.shown = result }
        return done
    }
}
