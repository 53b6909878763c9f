/// The token of a submitted job: the result of the submission, and a way to cancel or move the job.
///
/// ```swift
/// let job = queue.submit(7) { _ in .done }
/// job.cancel()
/// ```
///
/// The queue keeps the job itself: it runs whether or not the token is kept, and the token doesn't
/// keep the queue open. Copies refer to the same job.
public struct IdleJob {
    /// The token without its queue: where a caller discards the token, no reference is counted.
    @usableFromInline
    struct Place {
        let submission: Submission
        var slot = -1
        /// The number of the job, and that of the running job which it follows, if any.
        var numbers: (own: UInt64, running: UInt64) = (0, 0)
    }

    private let place: Place
    private let jobs: JobStore

    @usableFromInline
    init(_ place: Place, in jobs: JobStore) {
        self.place = place
        self.jobs = jobs
    }

    /// The result of the submission.
    package var submission: Submission { place.submission }

    /// Cancels the job for all requests that joined it, as ``IdleQueue/cancel(_:)`` does by key;
    /// returns false if it has ended or was never accepted.
    ///
    /// A later job of the same key is not affected. O(log n).
    @discardableResult
    public func cancel() -> Bool { isHere && jobs.cancel(place.slot) }

    /// Changes the job's priority and rank, as ``IdleQueue/reprioritize(_:priority:rank:)`` does by
    /// key; returns false if it has ended or was never accepted.
    ///
    /// O(log n).
    @discardableResult
    package func reprioritize(_ priority: Priority, rank: Int = 0) -> Bool {
        if isHere { jobs.reprioritize(place.slot, priority: priority, rank: rank) }
        return isHere
    }

    private var isHere: Bool {
        jobs.has(place.numbers.own, at: place.slot)
            || jobs.has(place.numbers.running, at: place.slot)
    }
}
