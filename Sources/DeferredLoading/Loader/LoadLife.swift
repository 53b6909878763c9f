/// The life of a key in a loader: how much of it is done, where it waits, and who wants it.
///
/// It answers events with what is to be done, and knows neither queues nor values:
///
/// ```text
/// nowhere ─ wanted ─▶ held ─ offered ─▶ queued ─ loaded ─▶ settled
///    ▲                  ▲                  │
///    │             room │ ▼ crowded        ├─ job ended, still wanted ─▶ held
///    └── forgotten ── suspended ◀──────────┴─ job ended, not wanted
/// ```
///
/// What is settled has its place nowhere; it gets one again when it's thrown away while wanted.
struct LoadLife: Equatable {
    /// The part that is done.
    enum Stage: UInt8 {
        case nothing
        case fetched
        case begun
        case loaded
        case failed
    }

    /// The places where it waits.
    enum Place: UInt8 {
        /// Nothing is to be done, or nobody asks.
        case nowhere
        /// For a place in the queue.
        case held
        /// In the queue: for a worker, for a lull, or for its next slice.
        case queued
        /// With what is done of it, for somebody to want it again.
        case suspended
        /// For room in memory.
        case crowded
    }

    /// Whose work it is.
    enum Claim: UInt8 {
        /// Nobody's.
        case none
        /// Somebody wants it.
        case wanted
        /// Nobody wants it, but it's nearly done and finished after all else.
        case kept
    }

    enum Event {
        /// Somebody wants it, or wants it more or less than before.
        case wanted
        /// Nobody wants it any more.
        case unwanted(isNearlyDone: Bool)
        /// It was handed to the queue.
        case offered
        /// Its job has come to an end, whichever.
        case jobEnded
        /// So much of it is done now.
        case reached(Stage)
        /// All that was done is thrown away: it has changed, or has to be tried again.
        case reset
        /// The same, as there's no room for it; if it's wanted, it waits for room.
        case evicted
        /// There is room for it, or it is subscribed to whether there is or not.
        case roomMade
    }

    enum Action: Equatable {
        case none
        /// Its job has another place in the queue.
        case reorder
        /// Its job is to be taken back.
        case withdraw
        /// Is no longer waiting; what was done is kept, but not for ever.
        case suspend
        /// There is nothing left to know of it, if no list has subscribed to it.
        case forget
    }

    private(set) var stage = Stage.nothing
    private(set) var place = Place.nowhere
    private(set) var claim = Claim.none
    /// Whether its job was taken back and has not ended yet.
    private(set) var isWithdrawn = false

    var isSettled: Bool { stage == .loaded || stage == .failed }
    var isWanted: Bool { claim == .wanted }

    mutating func handle(_ event: Event) -> Action {
        switch event {
        case .wanted:
            claim = .wanted
            return place == .queued && !isWithdrawn ? .reorder : findPlace()
        case .unwanted(let isNearlyDone):
            return abandon(isNearlyDone: isNearlyDone)
        case .offered:
            place = .queued
            isWithdrawn = false
            return .none
        case .jobEnded:
            precondition(place == .queued, "only what is in the queue has a job")
            place = .nowhere
            isWithdrawn = false
            return findPlace()
        case .reached(let stage):
            self.stage = stage
            if isSettled, claim == .kept { claim = .none }
            return place == .queued ? .none : findPlace()
        case .reset:
            return startOver()
        case .evicted:
            guard claim == .wanted else { return startOver() }
            stage = .nothing
            place = .crowded
            return .none
        case .roomMade:
            if place == .crowded { place = .nowhere }
            return findPlace()
        }
    }

    private mutating func abandon(isNearlyDone: Bool) -> Action {
        claim = isNearlyDone && !isSettled && place == .queued ? .kept : .none
        guard place == .queued else { return findPlace() }
        // A job that has begun goes before others: as its last part is to come after them, it has
        // to be handed in anew.
        guard claim == .none || stage == .begun else { return .reorder }
        return withdraw()
    }

    private mutating func startOver() -> Action {
        stage = .nothing
        if claim == .kept { claim = .none }
        return place == .queued ? withdraw() : findPlace()
    }

    private mutating func withdraw() -> Action {
        guard !isWithdrawn else { return .none }
        isWithdrawn = true
        return .withdraw
    }

    /// Finds the place of what has no job.
    private mutating func findPlace() -> Action {
        if place == .queued { return .none }
        // Only what is done of it was worth keeping.
        if claim == .kept, stage != .begun { claim = .none }
        if isSettled {
            place = .nowhere
            return claim == .none ? .forget : .none
        }
        if claim != .none {
            guard place != .crowded else { return .none }
            place = .held
            return .none
        }
        guard stage != .nothing else {
            place = .nowhere
            return .forget
        }
        place = .suspended
        return .suspend
    }
}
