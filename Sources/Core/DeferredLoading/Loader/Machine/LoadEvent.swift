internal import IdleLoop

/// An input of a ``LoadMachine``.
enum LoadEvent {
    // From lists.
    case opened(DemandList)
    /// A list is closed: its requests and subscriptions end.
    case closed(DemandList, subscribed: [LoadEntry])
    /// All keys that a list wants now.
    case wanted(DemandList, [EntryRequest])
    case subscribed(DemandList, LoadEntry)
    case unsubscribed(DemandList, LoadEntry)
    /// The answer to ``LoadEffect/estimateProgress``: whether an unwanted load is so nearly done that
    /// it is finished.
    case estimated(LoadEntry, isNearlyDone: Bool, LoadProgress)

    // From the queue.
    /// The queue accepts one more job of the next entry's urgency.
    case room
    /// The queue accepts no job of that urgency; the payload is its number of jobs.
    case noRoom(jobs: Int)
    /// A job was submitted to the queue: with a fetch, or only a load.
    case offered(LoadEntry, FetchFacts?)
    /// An unwanted entry that was to be finished gives its place to others.
    case displaced(LoadEntry)
    /// A worker has spent this time on a fetch whose job is about to be cancelled.
    case fetchAbandoned(LoadEntry, Duration)
    case jobEnded(LoadEntry, Failure?)

    // From fetches and loads.
    case fetched(LoadEntry, bytes: Int, start: Instant?, took: Duration)
    /// A fetch hasn't reached its time limit yet: it began later than its job was submitted.
    case fetchGoesOn(LoadEntry, until: Instant)
    /// The first slice of a load, or of its job, is about to run.
    case starts(LoadEntry)
    case begun(LoadEntry)
    /// A slice has ended, and there is more to do; `bytes` is what is held now, nil if bytes aren't
    /// limited.
    case sliced(LoadEntry, cost: Duration, bytes: Int?, waits: Bool = false)
    /// The same, with a new preview.
    case refined(LoadEntry, cost: Duration, bytes: Int?)
    case loaded(LoadEntry, cost: Duration, bytes: Int)
    case failed(LoadEntry, Failure)

    // From the loader's owner.
    case retried(LoadEntry)
    case invalidated(LoadEntry)
    /// The work on a key is discarded: its result from elsewhere comes next.
    case superseded(LoadEntry)
    case given(LoadEntry, bytes: Int)
    case used(LoadEntry)
    case trimmed(to: Double)
    case limited(toBytes: Int)
    case timer

    /// The properties of a fetch that was submitted.
    struct FetchFacts {
        let cost: Duration
        let isOperation: Bool
    }

    /// An error, and the source's decision about a retry.
    struct Failure {
        let error: any Error
        let retry: LoadRetry
    }
}

/// A list's request for a key, with the estimated cost on the loop if lists share the loader.
struct EntryRequest {
    let entry: LoadEntry
    let urgency: Urgency
    let rank: Int
    let cost: Duration?

    var place: DemandLevel { DemandLevel(urgency: urgency, turn: rank) }
}

/// An output of a ``LoadMachine``; effects are performed in order.
enum LoadEffect {
    /// Determine whether an unwanted load that has begun is nearly done.
    case estimateProgress(LoadEntry)
    /// Submit its job to the queue.
    case submit(LoadEntry)
    /// Move its job in the queue.
    case reorder(LoadEntry)
    /// Cancel its job.
    case withdraw(LoadEntry)
    /// Check the time limit of its fetch, which has passed if the fetch began when it was
    /// submitted.
    case checkFetch(LoadEntry, due: Instant)
    /// Deliver what can be shown to earlier subscribers, unless it has changed again since.
    case commit(LoadEntry, version: UInt64)
    /// Tell a list that half of the loads that it wanted have ended.
    case halfDone(DemandList)
    /// Report a decision to observers.
    case decided(LoadEntry, LoadDecisionKind, at: Instant, list: String?, reason: String?)
    /// Remove the entry of the key.
    case forget(LoadEntry)
    /// Release the results of a key; their release may call back.
    case release(AnyObject)
    /// Set the reason of the decisions that follow; added by the loader, not by the machine.
    case explain(((LoadEntry) -> String?)?)
}
