internal import IdleLoop

/// What a loader knows of a key.
///
/// An object, so that whoever holds it across a callback sees what became of it meanwhile. It's
/// changed through its ``LoadTable`` alone, which keeps its place in the loader's orders.
final class LoadEntry<Key: Hashable, Value> {
    let key: Key
    /// Its number in the table.
    let slot: Int
    /// Whether the table has let go of it.
    var isGone = false
    var life = LoadLife()
    var wishes = JoinedWishes()
    /// Where it stands, and for how many lists, as far as those know who listen to decisions.
    var notedPlace: WishLevel?
    var notedLists = 0
    /// The lists that are told of it.
    var subscribers: [Int] = []

    /// The generation of what the key stands for; a result of an older one is thrown away.
    var generation: UInt64 = 0
    /// Of the job in the queue; what comes from another is nobody's.
    var ticket: UInt64 = 0
    /// Whether the job in the queue is still to be fetched, or being fetched.
    var isFetching = false
    /// Whether that is done by an operation, not by a worker.
    var fetchesByItself = false
    /// The operation, while it's under way.
    weak var operation: (any PendingOperation)?
    /// What was done of it.
    var contents = LoadContents<Value>()
    /// How many bytes there are of what was fetched.
    var fetchedBytes = 0
    /// What it's said to cost on the loop.
    var costHint: Duration?
    /// What was spent on the load at hand, and by the job at hand.
    var spent: Duration = .zero
    var spentByJob: Duration = .zero
    /// The list that the job at hand is charged to, and its turn; and whether it was begun on the loop.
    var turn: ListWish?
    var hasBegunTurn = false
    /// What the fetch at hand is said to take.
    var fetchCost: Duration = .zero
    /// Counts previews, of all keys.
    var previewNumber: UInt64 = 0
    /// Counts what could be shown, of all keys.
    var version: UInt64 = 0
    /// The last reconciliation that named it.
    var mark: UInt64 = 0

    /// What it holds, in bytes: the value, or what was done for it.
    var bytes = 0 {
        didSet { mostBytes = max(mostBytes, bytes) }
    }
    /// The most it has held: while it's loaded that may be more than its value has.
    var mostBytes = 0
    /// When the last subscription ended; zero if there never was one.
    var lastUsed: UInt64 = 0
    /// When it came to its place, or was settled: what decides between equals.
    var since: UInt64 = 0

    /// How often it has failed in a row.
    var failures = 0
    /// When it's tried again, or its fetch has taken too long.
    var deadline = Instant.distantFuture
    /// Whether lists are to be told how far it has come.
    var hasNews = false
    /// Whether it was said that the queue has no room.
    var isTurnedAway = false
    /// What it adds to the loader's sums.
    var counted = LoadTally()

    init(key: Key, slot: Int, generation: UInt64) {
        self.key = key
        self.slot = slot
        self.generation = generation
    }

    /// When its turn comes; nil if nobody's work it is.
    var level: WishLevel? {
        switch life.claim {
        case .none: nil
        case .wanted: wishes.foremost?.level
        case .kept: .last
        }
    }

    /// Whether there is nothing here worth knowing.
    var isBlank: Bool {
        life.place == .nowhere && life.stage == .nothing && subscribers.isEmpty && wishes.isEmpty
    }

    var isSubscribed: Bool { !subscribers.isEmpty }

    /// What it adds to the loader's sums.
    var tally: LoadTally {
        let isNeeded = life.isWanted || isSubscribed
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

    /// How far it has come, as far as that is known without asking its worker.
    var progress: LoadProgress {
        switch life.stage {
        case .loaded, .failed: .settled
        case .begun: .begun(spent: spent)
        case .fetched: .fetched
        case .nothing: .none
        }
    }

    /// Throws away all that was done, and returns it, if there was anything.
    func clear() -> LoadContents<Value>? {
        fetchedBytes = 0
        spent = .zero
        bytes = 0
        deadline = .distantFuture
        guard life.stage != .nothing else { return nil }
        defer { contents = LoadContents() }
        return contents
    }
}
