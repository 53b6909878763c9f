internal import LullLibC

/// The life cycle of a key in a loader: how much of its work is done, where it waits, and who wants
/// it.
///
/// A state machine that answers events with actions, and knows neither queues nor values:
///
/// ```text
/// nowhere ─ wanted ─▶ waiting ─ offered ─▶ queued ─ loaded ─▶ settled
///    ▲                   ▲                    │
///    │              room │ ▼ blocked          ├─ job ended, still wanted ─▶ waiting
///    └── forgotten ─── suspended ◀────────────┴─ job ended, not wanted
/// ```
///
/// A settled key is nowhere; it gets another place when its result is discarded while it is wanted.
struct LoadLife: Equatable {
    /// The part of the work that is done.
    enum Stage: UInt8 {
        case nothing
        case fetched
        case begun
        case loaded
        case failed
    }

    /// The places where a key waits.
    enum Place: UInt8 {
        /// Nowhere: there is nothing to do, or nobody wants it.
        case nowhere
        /// Outside the queue, for a place in it.
        case waiting
        /// In the queue: for a worker, for a lull, or for its next slice.
        case queued
        /// Suspended with its unfinished work, in case it is wanted again.
        case suspended
        /// Outside the queue, for room in memory.
        case memoryBlocked
    }

    /// The reason why its work is to be done.
    enum Claim: UInt8 {
        /// There is none.
        case none
        /// Somebody wants it.
        case wanted
        /// Nobody wants it, but it is nearly done and is finished after all others.
        case finishing
    }

    enum Event {
        /// Somebody wants it, or wants it with another urgency than before.
        case wanted
        /// Nobody wants it any more.
        case unwanted(isNearlyDone: Bool)
        /// Its job was submitted to the queue.
        case offered
        /// Its job has ended, in whichever way.
        case jobEnded
        /// Its work has reached a stage.
        case reached(Stage)
        /// Its work is discarded: its content has changed, or it is retried.
        case reset
        /// Its work is discarded because there is no room; if it is wanted, it waits for room.
        case evicted
        /// There is room for it, or it was subscribed to, which needs no room.
        case roomMade
    }

    enum Action: Equatable {
        case none
        /// Move its job in the queue.
        case reorder
        /// Cancel its job.
        case withdraw
        /// Keep its unfinished work for a limited time.
        case suspend
        /// Remove it, if no list has subscribed to it.
        case forget
    }

    private(set) var stage = Stage.nothing
    private(set) var place = Place.nowhere
    private(set) var claim = Claim.none
    /// Whether its job was cancelled and has not ended yet.
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
            if isSettled, claim == .finishing { claim = .none }
            return place == .queued ? .none : findPlace()
        case .reset:
            return startOver()
        case .evicted:
            guard claim == .wanted else { return startOver() }
            stage = .nothing
            place = .memoryBlocked
            return .none
        case .roomMade:
            if place == .memoryBlocked { place = .nowhere }
            return findPlace()
        }
    }

    private mutating func abandon(isNearlyDone: Bool) -> Action {
        claim = isNearlyDone && !isSettled && place == .queued ? .finishing : .none
        guard place == .queued else { return findPlace() }
        // A job that has begun goes before others of its priority: its last part is to run after
        // them, so it must be submitted again.
        guard claim == .none || stage == .begun else { return .reorder }
        return withdraw()
    }

    private mutating func startOver() -> Action {
        stage = .nothing
        if claim == .finishing { claim = .none }
        return place == .queued ? withdraw() : findPlace()
    }

    private mutating func withdraw() -> Action {
        guard !isWithdrawn else { return .none }
        isWithdrawn = true
        return .withdraw
    }

    /// Finds the place of a key that has no job.
    private mutating func findPlace() -> Action {
        if place == .queued { return .none }
        // Only unfinished work on the loop is worth finishing.
        if claim == .finishing, stage != .begun { claim = .none }
        if isSettled {
            place = .nowhere
            return claim == .none ? .forget : .none
        }
        if claim != .none {
            guard place != .memoryBlocked else { return .none }
            place = .waiting
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
