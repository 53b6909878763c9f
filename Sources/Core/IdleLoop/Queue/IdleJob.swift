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
    private let queue: JobQueue

    @usableFromInline
    init(_ place: Place, in queue: JobQueue) {
        self.place = place
        self.queue = queue
    }

    /// The result of the submission.
    package var submission: Submission { place.submission }

    /// Cancels the job for all requests that joined it, as ``IdleQueue/cancel(_:)`` does by key;
    /// returns false if it has ended or was never accepted.
    ///
    /// A later job of the same key is not affected. O(log n).
    @discardableResult
    public func cancel() -> Bool { isHere && queue.cancel(place.slot) }

    /// Changes the job's priority and rank, as ``IdleQueue/reprioritize(_:priority:rank:)`` does by
    /// key, if it's here.
    ///
    /// O(log n).
    package func reprioritize(_ priority: Priority, rank: Int = 0) {
        if isHere { queue.reprioritize(place.slot, priority: priority, rank: rank) }
    }

    private var isHere: Bool {
        queue.machine.has(place.numbers.own, at: place.slot)
            || queue.machine.has(place.numbers.running, at: place.slot)
    }
}
