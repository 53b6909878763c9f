public import IdleLoop

/// A decision about a key, or an event of its load, for logs and explanations.
///
/// It concerns the key, not one list: a key that one of two lists no longer wants is still wanted.
public struct LoadDecision<Key: Hashable> {
    /// The time of the decision.
    public var time: Instant
    /// The key that it is about.
    public var key: Key
    /// The kind of the decision.
    public var kind: LoadDecisionKind
    /// The name of the list whose request caused it; nil if no list did.
    public var list: String?
    /// The reason, in the words of the rule that decided, in one line; nil if no rule did.
    public var reason: String?

    /// Returns the same decision, about another name of its key.
    package func renamed<Name>(_ name: Name) -> LoadDecision<Name> {
        LoadDecision<Name>(time: time, key: name, kind: kind, list: list, reason: reason)
    }
}

extension LoadDecision: Sendable where Key: Sendable {}

/// The kind of a decision about a key, or the outcome of its load.
public enum LoadDecisionKind: Sendable {
    /// A list wants the key, and none wanted it before.
    case wanted(Urgency, rank: Int)
    /// The key is wanted with another urgency or rank; the most urgent of all lists counts.
    case moved(from: Urgency, to: Urgency, rank: Int)
    /// The key is no longer wanted by any list; the payload is the progress of its load.
    case unwanted(LoadProgress)
    /// No list wants the key any more, but its fetch is under way and goes on, in case that one does
    /// again.
    case kept(LoadProgress)
    /// The key is the next one, and the queue has no room for its job, which is offered again.
    case rejected
    /// The memory is full of more urgent values; the key, and what is less urgent, waits until there is
    /// room.
    case memoryBlocked
    /// The fetch has completed; it began at the given time.
    case fetched(since: Instant)
    /// The load has begun on the loop.
    case begun
    /// A preview can be shown.
    case refined
    /// The value is loaded; the payload is its cost on the loop.
    case finished(cost: Duration)
    /// The load has failed, for the given reason.
    case failed(String)
    /// The load has failed that many times in a row, and is retried at the given time, if the key
    /// is wanted.
    case retrying(at: Instant, failures: Int)
    /// The failed load is retried.
    case retried
    /// The content of the key has changed, and finished work is discarded.
    case invalidated
    /// The value, or the unfinished work, was evicted to make room for others.
    case evicted
}
