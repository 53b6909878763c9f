internal import IdleLoop

/// An input of a ``LoadMachine``.
enum LoadEvent {
    // From lists.
    case opened(DemandList)
    /// A list is closed: its requests and subscriptions end.
    case closed(DemandList, subscribed: [LoadEntry])
    /// All keys that a list wants now.
    case wanted(DemandList, [Request])
    case subscribed(DemandList, LoadEntry)
    case unsubscribed(DemandList, LoadEntry)
    /// The answer to ``LoadEffect/judge``: whether a load that nobody wants goes on, at which progress.
    case judged(LoadEntry, goesOn: Bool, LoadProgress)

    // From the queue.
    /// The queue accepts no job of the next entry's urgency; the payload is its number of jobs.
    case noRoom(jobs: Int)
    /// A job was submitted to the queue: with a fetch, or only a load.
    case offered(LoadEntry, FetchFacts?)
    /// A load that nobody wants gives its place to others.
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

    /// A list's request for a key, with its place in the list's order, and the estimated cost on the
    /// loop if lists share the loader.
    typealias Request = (entry: LoadEntry, order: LoadOrder, cost: Duration?)

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

/// An output of a ``LoadMachine``; effects are performed in order, and what they tell is told when the
/// change is complete.
enum LoadEffect {
    /// Let go of a load that nobody wants, unless it is nearly there.
    case judge(LoadEntry)
    /// Move its job in the queue.
    case reorder(LoadEntry)
    /// Cancel its job.
    case withdraw(LoadEntry)
    /// Check the time limit of its fetch, which has passed if the fetch began when it was
    /// submitted.
    case checkFetch(LoadEntry, due: Instant)
    /// Remove the entry of the key.
    case forget(LoadEntry)
    case tell(LoadNotice)
}

/// What a change of a loader has to tell.
enum LoadNotice {
    /// Deliver what can be shown of a key to those of its subscribers that have not been told.
    case commit(LoadEntry)
    /// Tell a list that half of the loads that it wanted have ended.
    case halfDone(DemandList)
    /// Report a decision to observers.
    case decided(LoadEntry, LoadDecisionKind, at: Instant, list: String?, reason: String?)
    /// Have a list of rows show what it has to show.
    case rows(any RowTeller)
    /// Release an object, whose release may call back.
    case release(AnyObject)
    /// It was told.
    case told
}

/// A list that tells of its rows when a change is complete.
protocol RowTeller: AnyObject {
    func showRows()
}

/// What was given up, and is released when the change is complete.
final class Released {
    private let values: [Any?]

    init(_ values: [Any?]) {
        self.values = values
    }
}
