package import DeferredLoading
internal import IdleLoop

/// One thing that was decided about a row, or became of it, in words that stay the same.
package struct StoryLine: Equatable, Sendable {
    /// What was decided, or what became of the row.
    package enum Kind: String, CaseIterable, Sendable {
        /// The rule wants it.
        case wanted
        /// It is to come sooner than before.
        case raised
        /// It is to come later than before.
        case lowered
        /// The rule no longer wants it, and nothing was done.
        case dropped
        /// The rule no longer wants it, and a part was done.
        case cancelled
        /// The rule no longer names it; it's there.
        case released
        /// More or fewer lists want it than before.
        case shared
        /// The rule no longer wants it; it's nearly done, and is finished after all else.
        case kept
        /// It is on screen and missing, and the rule doesn't want it.
        case skipped
        /// The queue had no room.
        case turnedAway = "turned_away"
        /// There's no room to keep it.
        case crowdedOut = "crowded_out"
        /// Its fetch has come.
        case fetched
        /// The first of its work on the loop.
        case begun
        /// Some of it can be shown.
        case refined
        /// It is there.
        case loaded
        /// It can't be had.
        case failed
        /// It has failed, and is tried again later.
        case retrying
        /// It had failed, and is tried again.
        case retried
        /// What it stands for has changed.
        case invalidated
        /// It made room for others.
        case evicted
    }

    /// Nanoseconds from the start of the trace.
    package var time: Int64
    /// The row.
    package var row: Int
    /// What it was.
    package var kind: Kind
    /// How soon it matters now.
    package var urgency: Urgency?
    /// How soon it mattered before.
    package var from: Urgency?
    /// Its place among those of the same urgency.
    package var rank: Int?
    /// When the fetch began.
    package var since: Int64?
    /// What was spent on it on the loop, in nanoseconds.
    package var cost: Int64?
    /// Why, in the words of the rule; or of the failure.
    package var reason: String?

    init(time: Int64, row: Int, kind: Kind, reason: String? = nil) {
        self.time = time
        self.row = row
        self.kind = kind
        self.reason = reason
    }
}

extension StoryLine {
    /// A loader's decision; `place` is the urgency and rank that the row had before it.
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
        case .turnedAway: kind = .turnedAway
        case .crowdedOut: kind = .crowdedOut
        case .fetched(let since):
            kind = .fetched
            self.since = since.nanoseconds
        case .begun: kind = .begun
        case .refined: kind = .refined
        case .finished(let cost):
            kind = .loaded
            // What was loaded in one go, before the trace or in a frame, was not counted here.
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

    /// What it means that a row is no longer wanted depends on how far it had come.
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
