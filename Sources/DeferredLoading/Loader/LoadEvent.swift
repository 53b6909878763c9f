internal import IdleLoop

/// An input of a ``LoadMachine``.
enum LoadEvent {
    // From lists.
    case opened(MachineList)
    /// A list wants nothing more, and isn't told of these any more.
    case closed(MachineList, subscribed: [LoadEntry])
    /// All that a list wants now.
    case wanted(MachineList, [EntryWish])
    case subscribed(MachineList, LoadEntry)
    case unsubscribed(MachineList, LoadEntry)
    /// Whether what nobody wants any more is so nearly done that it's finished.
    case appraised(LoadEntry, isNearlyDone: Bool, LoadProgress)

    // From the queue.
    /// It takes one more job as urgent as the next.
    case room
    /// It takes nothing of that urgency; so many jobs are in it.
    case noRoom(jobs: Int)
    /// A key was handed to it: to be fetched first, or only to be loaded.
    case offered(LoadEntry, FetchFacts?)
    /// An entry that was to be finished although nobody wants it gives its place to others.
    case displaced(LoadEntry)
    /// A worker has spent this on a fetch whose job is about to be taken back.
    case fetchAbandoned(LoadEntry, Duration)
    case jobEnded(LoadEntry, Failure?)

    // From fetches and loads.
    case fetched(LoadEntry, bytes: Int, start: Instant?, took: Duration)
    /// A fetch isn't late yet: it began later than its job was handed in.
    case fetchGoesOn(LoadEntry, until: Instant)
    /// The first slice of a load, or of its job, is about to run.
    case starts(LoadEntry)
    case begun(LoadEntry)
    /// A slice has ended, and there's more to do; `bytes` is what is held now, if anybody counts.
    case sliced(LoadEntry, cost: Duration, bytes: Int?)
    /// The same, and there's more to show.
    case refined(LoadEntry, cost: Duration, bytes: Int?)
    case loaded(LoadEntry, cost: Duration, bytes: Int)
    case failed(LoadEntry, Failure)

    // From whoever has the loader.
    case retried(LoadEntry)
    case invalidated(LoadEntry)
    /// The work on a key is thrown away: it has a result from elsewhere, which comes next.
    case superseded(LoadEntry)
    case given(LoadEntry, bytes: Int)
    case used(LoadEntry)
    case trimmed(to: Double)
    case timer

    /// Of a fetch that was begun.
    struct FetchFacts {
        let cost: Duration
        let isOperation: Bool
    }

    /// Why there's no value, and what the source says of another try.
    struct Failure {
        let error: any Error
        let retry: LoadRetry
    }
}

/// A list's wish for a key, and the estimate of its cost on the loop if the list shares a loader.
struct EntryWish {
    let entry: LoadEntry
    let urgency: Urgency
    let rank: Int
    let cost: Duration?

    var place: WishLevel { WishLevel(urgency: urgency, turn: rank) }
}

/// An output of a ``LoadMachine``; they are done in order.
enum LoadEffect {
    /// Nobody wants it any more, and some of it is done: is that nearly all?
    case appraise(LoadEntry)
    /// Hand its job to the queue.
    case submit(LoadEntry)
    /// Its job has another place in the queue.
    case reorder(LoadEntry)
    /// Take its job back.
    case withdraw(LoadEntry)
    /// Its fetch has had its time, if it was begun as it was handed in.
    case checkFetch(LoadEntry, due: Instant)
    /// Tell what can be shown of it to those who subscribed before, unless it's told anew since.
    case commit(LoadEntry, version: UInt64)
    /// Tell those who listen to decisions.
    case decided(LoadEntry, LoadDecisionKind, at: Instant, list: String?, reason: String?)
    /// Nothing is known of it any more.
    case forget(LoadEntry)
    /// Let go of what a key held: who is told as it goes may call back.
    case release(AnyObject)
    /// Not the machine's: this says why, of the decisions that follow.
    case explain(((LoadEntry) -> String?)?)
}
