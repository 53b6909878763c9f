/// The state of a queue's current run of a job: what was called for it meanwhile.
struct JobRun: ~Copyable {
    /// Whether a run is in progress, including the callbacks at its end.
    private(set) var isInProgress = false
    /// The beginning of the current run, or of the last one.
    private(set) var start = Instant.zero
    /// Whether the run processes a part of what work off the loop has so far.
    private(set) var isPart = false
    private var isCancelled = false
    private var isSuspended = false
    private var isResumed = false
    /// A request for the key of the running job: it joins that if there are more slices, and
    /// otherwise takes its place.
    private var follower: DetachedJob?

    /// The number of that request.
    var followerNumber: UInt64? {
        switch follower {
        case .some(let follower): follower.job.order.sequence
        case nil: nil
        }
    }

    /// Whether a job that returned `again` may go on, as nothing was called for it.
    var goesOn: Bool { !isCancelled && !isSuspended && follower == nil }

    /// Whether there is something to cancel: further slices, or a request that waits.
    var isCancellable: Bool { !isCancelled || follower != nil }

    mutating func begin(at now: Instant, isPart: Bool) {
        isInProgress = true
        self.isPart = isPart
        start = now
    }

    /// Lets a request wait for the end of the run, or joins it to the one that does.
    mutating func follow(_ job: consuming DetachedJob) -> Submission {
        if follower != nil {
            follower?.join(job)
            return .joined
        }
        follower = consume job
        return .follows
    }

    /// Cancels further slices; returns the request that waited for the end of the run.
    mutating func cancel() -> DetachedJob? {
        isCancelled = true
        return takeFollower()
    }

    /// Ends a slice; one that waits does so unless `resume` was called in it.
    @inline(__always)
    mutating func endSlice(waits: Bool) {
        isSuspended = waits && !isPart && !isResumed
        isResumed = false
    }

    /// Notes a call of `resume` from inside the slice.
    mutating func resume() { isResumed = true }

    /// Ends the run of the body: returns what was called for the job meanwhile.
    mutating func endRun() -> (isCancelled: Bool, isSuspended: Bool) {
        defer { (isCancelled, isSuspended) = (false, false) }
        return (isCancelled, isSuspended)
    }

    /// Takes the request that waited for the end of the run.
    mutating func takeFollower() -> DetachedJob? { follower.take() }

    /// Ends the run, after all callbacks.
    mutating func end() { isInProgress = false }
}
