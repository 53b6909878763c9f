public import IdleLoop

/// Something that was decided about a key, or became of it, for those who want to know why.
///
/// It is told of the key, not of each list: what one of two lists no longer wants is still wanted.
public struct LoadDecision<Key: Hashable> {
    /// When.
    public var time: Instant
    /// About which key.
    public var key: Key
    /// The decision.
    public var kind: LoadDecisionKind
    /// The name of the list whose change of mind it is; nil for what no list has decided.
    public var list: String?
    /// Why, in the words of the rule that decided, in one line; nil if no rule did.
    public var reason: String?
}

extension LoadDecision: Sendable where Key: Sendable {}

/// A decision about a key, or its outcome.
public enum LoadDecisionKind: Sendable {
    /// It is wanted, and no list wanted it before.
    case wanted(Urgency, rank: Int)
    /// It is wanted at another place than before; of several lists' places the most urgent counts.
    case moved(from: Urgency, to: Urgency, rank: Int)
    /// So many lists want it, one more or one fewer than before: one load stands for them all.
    case shared(lists: Int)
    /// No list wants it any more; so much had been done.
    case unwanted(LoadProgress)
    /// No list wants it any more, but it's so nearly done that it's finished after all else.
    case kept(LoadProgress)
    /// The queue had no room for it; it is offered again.
    case turnedAway
    /// There is no room to keep it, as more urgent ones fill it; it waits until there is.
    case crowdedOut
    /// Its fetch has come, which began then.
    case fetched(since: Instant)
    /// It is begun on the loop.
    case begun
    /// Some of it can be shown.
    case refined
    /// It is there, and has cost so much on the loop.
    case finished(cost: Duration)
    /// It has failed for this reason.
    case failed(String)
    /// It has failed so many times in a row, and is tried again then, if it's wanted.
    case retrying(at: Instant, failures: Int)
    /// It had failed, and is tried again.
    case retried
    /// Its meaning has changed, and what was done is thrown away.
    case invalidated
    /// It was there, and made room for others.
    case evicted
}
