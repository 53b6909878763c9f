internal import IdleLoop

/// An output of a ``LoadMachine``; effects are performed in order.
enum LoadEffect {
    /// Let go of a load that nobody wants, unless its fetch is under way.
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

    // Told when the change is complete:
    /// Deliver what can be shown of a key to those of its subscribers that have not been told.
    case commit(LoadEntry)
    /// Tell a list that half of the loads that it wanted have ended.
    case halfDone(DemandList)
    /// Report a decision to observers; apart, as it's four times as large as the others, and rare.
    indirect case decided(LoadEntry, LoadDecisionKind, list: String?, reason: String?)
    /// Release the results of a key, whose release may call back.
    indirect case release(Any)
}
