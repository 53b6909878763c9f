internal import IdleLoop

/// What a ``LoadMachine`` is told.
///
/// Cases that hold a key or a value are indirect: the others then are of one size for all types, which
/// generic code handles much faster.
enum LoadEvent<Key: Hashable, Value> {
    typealias Entry = LoadEntry<Key, Value>
    typealias List = ListState<Key, Value>

    // From lists.
    case opened(List)
    case closed(List)
    /// All that a list wants now; `costs` says of each what it's said to cost, if there are others
    /// that the list shares with, and `reason` why it's wanted or isn't.
    case wanted(List, [Wanted<Key>], costs: [Duration?], reason: ((Key) -> String?)?)
    indirect case subscribed(List, Key)
    indirect case unsubscribed(List, Key)
    /// Whether what nobody wants any more is so nearly done that it's finished.
    case appraised(Entry, isNearlyDone: Bool, LoadProgress)

    // From the queue.
    /// It takes one more job as urgent as the next.
    case room
    /// It takes nothing of that urgency; so many jobs are in it.
    case noRoom(jobs: Int)
    /// A key was handed to it: to be fetched first, or only to be loaded.
    case offered(Entry, FetchFacts?)
    /// What was to be finished although nobody wants it gives its place to others.
    case displaced(Entry)
    /// A worker has spent this on a fetch whose job is about to be taken back.
    case workedInVain(Entry, Duration)
    case jobEnded(Entry, Failure?)

    // From fetches and loads.
    case fetched(Entry, Fetched)
    /// A fetch isn't late yet: it began later than its job was handed in.
    case fetchGoesOn(Entry, until: Instant)
    /// A slice begins.
    case slice(Entry)
    case begun(Entry, any Load<Value>)
    /// A slice has ended, and there's more to do; `bytes` is what is held now, if anybody counts.
    case sliced(Entry, cost: Duration, bytes: Int?)
    /// The same, and this can be shown now.
    indirect case refined(Entry, Value, cost: Duration, bytes: Int?)
    indirect case loaded(Entry, Value, cost: Duration, bytes: Int)
    case failed(Entry, Failure)

    // From whoever has the loader.
    indirect case retried(Key)
    indirect case invalidated(Key)
    /// A key has its result from elsewhere.
    indirect case given(Key, Given)
    case used(Entry)
    case trimmed(to: Double)
    case timer

    /// Of a fetch that was begun.
    struct FetchFacts {
        let cost: Duration
        let isOperation: Bool
    }

    /// What a fetch has given.
    struct Fetched {
        let load: () throws -> any Load<Value>
        let bytes: Int
        let start: Instant?
        let took: Duration
    }

    /// Why there's no value, and what the source says of another try.
    struct Failure {
        let error: any Error
        let retry: LoadRetry
    }

    /// A result from elsewhere.
    enum Given {
        case value(Value, bytes: Int)
        case failure(Failure)
    }
}

/// What a ``LoadMachine`` wants done, in this order.
enum LoadEffect<Key: Hashable, Value> {
    typealias Entry = LoadEntry<Key, Value>

    /// Nobody wants it any more, and some of it is done: is that nearly all?
    case appraise(Entry)
    /// Hand its job to the queue.
    case submit(Entry)
    /// Its job has another place in the queue.
    case reorder(Entry)
    /// Take its job back.
    case withdraw(Entry)
    /// Its fetch has had its time, if it was begun as it was handed in.
    case checkFetch(Entry, due: Instant)
    /// Tell what can be shown of it to those who subscribed before, unless it's told anew since.
    case commit(Entry, version: UInt64)
    /// Tell those who listen to decisions.
    ///
    /// The reason is asked for only then.
    indirect case decided(LoadDecision<Key>, reason: ((Key) -> String?)?)
    /// Let go of what a key held: who is told as it goes may call back.
    indirect case release(LoadContents<Value>)
}

/// What came of a key's work; a ``LoadMachine`` keeps it and never looks inside.
struct LoadContents<Value> {
    /// Makes a load of what was fetched.
    var fetched: (() throws -> any Load<Value>)?
    var load: (any Load<Value>)?
    /// What can be shown before it's loaded.
    var preview: Value?
    var result: Result<Value, any Error>?
}
