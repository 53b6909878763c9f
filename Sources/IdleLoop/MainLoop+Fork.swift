// What a fork leaves behind.
extension MainLoop {
    /// Gives a forked child a loop of its own; to be called in the child before anything else of
    /// the loop, and not from inside its callbacks.
    ///
    /// The parent's loop is left alone: neither steals the other's wake-ups. Timers, watches,
    /// observers and jobs are there in both; what other threads had posted arrives in the parent
    /// only, and work that was on a worker ends in the child with `lostInFork`. On an adopted base
    /// the host calls `event_reinit` first, as libevent asks it to.
    ///
    /// Throws `postingWhileForking` if another thread was just posting when the process forked, or
    /// what the system says; the child's loop is of no use then. Throws `insideCallback` in a child
    /// that was forked inside one of the loop's callbacks, and `closed`; then nothing was done.
    public func reinitAfterFork() throws(LoopError) {
        guard !isClosed else { throw .closed }
        guard !isInside else { throw .insideCallback }
        if !isAdopted { try base.reinit() }
        // The events first: the kernel's queue knows descriptors by what they're open on.
        inboxWatch?.pause()
        alarmWatch?.pause()
        try inbox.renew()
        let lost = backlog
        backlog = Inbox.Backlog()
        withExtendedLifetime(lost) {}  // until here: what posts hold may call as it goes
        try alarm.renew()
        if let inboxWatch { try attachOwn(inboxWatch, to: inbox.descriptor) }
        if let alarmWatch { try attachOwn(alarmWatch, to: alarm.descriptor) }
        alarmSetting = .distantFuture
        alarmWentOff = false
        for pool in pools.values { try pool.pool?.reinitAfterFork() }
        settle()
    }
}

/// A pool that the loop must tell of a fork, but doesn't keep.
struct WeakPool {
    weak var pool: WorkerPool?
}
