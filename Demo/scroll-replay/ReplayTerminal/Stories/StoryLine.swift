package import DeferredLoading
internal import IdleLoop

/// A decision about a row, or an event in its loading, with a fixed wording.
package struct StoryLine: Equatable, Sendable {
    /// The kind of decision or event.
    package enum Kind: String, CaseIterable, Sendable {
        /// The rule wants the row.
        case wanted
        /// The row is loaded sooner than before.
        case raised
        /// The row is loaded later than before.
        case lowered
        /// The rule no longer wants the row; nothing had been done.
        case dropped
        /// The rule no longer wants the row; a part had been done.
        case cancelled
        /// The rule no longer names the row, which is loaded.
        case released
        /// More or fewer lists want the row than before.
        case shared
        /// The rule no longer wants the row, but it is nearly done, and is finished after all
        /// others.
        case kept
        /// The row is visible and not loaded, and the rule doesn't want it.
        case skipped
        /// The queue was full.
        case rejected = "turned_away"
        /// There is no memory to keep the row.
        case memoryBlocked = "crowded_out"
        /// The fetch has finished.
        case fetched
        /// Work on the loop has begun.
        case begun
        /// A preview is available.
        case refined
        /// The row is loaded.
        case loaded
        /// Loading has failed.
        case failed
        /// Loading has failed, and is retried later.
        case retrying
        /// Loading is retried.
        case retried
        /// The content of the row has changed.
        case invalidated
        /// The row was evicted to make room for others.
        case evicted
    }

    /// The time in nanoseconds from the start of the trace.
    package var time: Int64
    /// The row.
    package var row: Int
    /// The kind of decision or event.
    package var kind: Kind
    /// The urgency from now on.
    package var urgency: Urgency?
    /// The urgency before.
    package var from: Urgency?
    /// The rank within the urgency.
    package var rank: Int?
    /// The time at which the fetch began.
    package var since: Int64?
    /// The time spent on it on the loop, in nanoseconds.
    package var cost: Int64?
    /// The reason, as given by the rule, or of the failure.
    package var reason: String?

    init(time: Int64, row: Int, kind: Kind, reason: String? = nil) {
        self.time = time
        self.row = row
        self.kind = kind
        self.reason = reason
    }
}

extension StoryLine {
    /// Creates the line of a loader's decision; `place` is the row's urgency and rank before it.
    init(_ decision: LoadDecision<Int>, place: (urgency: Urgency, rank: Int)?) {
        self.init(
            time: decision.time.nanoseconds, row: decision.key, kind: .wanted,
            reason: decision.reason)
        switch decision.kind {
        case .wanted(let urgency, let rank):
            self.urgency = urgency
            self.rank = rank
        case .moved(let from, let to, let rank):
            let isSooner = from == to ? rank < (place?.rank ?? .max) : to > from
            kind = isSooner ? .raised : .lowered
            self.from = from
            urgency = to
            self.rank = rank
        case .unwanted(let progress):
            take(progress)
        case .shared: kind = .shared
        case .kept(let progress):
            take(progress)
            kind = .kept
        case .rejected: kind = .rejected
        case .memoryBlocked: kind = .memoryBlocked
        case .fetched(let since):
            kind = .fetched
            self.since = since.nanoseconds
        case .begun: kind = .begun
        case .refined: kind = .refined
        case .finished(let cost):
            kind = .loaded
            // The cost of rows loaded before the trace or in a frame isn't counted here.
            if cost > .zero { self.cost = StoryLine.nanoseconds(cost) }
        case .failed(let reason):
            kind = .failed
            self.reason = reason
        case .retrying(let at, _):
            kind = .retrying
            since = at.nanoseconds
        case .retried: kind = .retried
        case .invalidated: kind = .invalidated
        case .evicted: kind = .evicted
        }
    }

    /// Sets the kind of a row that is no longer wanted, which depends on its progress.
    private mutating func take(_ progress: LoadProgress) {
        switch progress {
        case .none, .fetched: kind = .dropped
        case .fetching(let since):
            kind = .cancelled
            self.since = since.nanoseconds
        case .begun(let spent):
            kind = .cancelled
            cost = StoryLine.nanoseconds(spent)
        case .settled: kind = .released
        }
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
