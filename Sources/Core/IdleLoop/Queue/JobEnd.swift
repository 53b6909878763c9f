/// The result of a run of a job.
public enum JobProgress: Sendable {
    /// The job is finished.
    case done
    /// The job has more to do, in another slice.
    case again
    /// The job has more to do once ``IdleQueue/resume(_:)`` was called for its key: until then it
    /// keeps its place and isn't run.
    case waiting
    /// The job is stale: it did nothing, and the next one runs in its place.
    case skipped
}

/// The end of a job; each accepted job has exactly one.
public enum JobEnd {
    /// The reason for which a job was dropped.
    public enum DropReason: Equatable, Sendable {
        /// The queue had reached its limit.
        case full
        /// The queue was closed or shutting down before the job was submitted.
        case closed
    }

    /// The job is finished.
    case done
    /// The job was stale.
    case skipped
    /// The job threw this error, in the lull or off the loop.
    case failed(any Error)
    /// The job was cancelled, or its queue was closed or ran out of time while shutting down.
    case cancelled
    /// The queue had no room for the job, or was closed.
    case dropped(DropReason)
}

/// The result of a submission.
package enum Submission: Sendable {
    /// The job waits.
    case queued
    /// The request joined a waiting job of its key.
    case joined
    /// The job of its key is running: if that has more slices, the request joins it; otherwise it
    /// becomes a job of its own, and runs after it.
    case follows
    /// The queue is closed, or full of jobs that are at least as urgent: `onEnd` has been called.
    case dropped
}
