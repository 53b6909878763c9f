/// The token of a submitted job: the result of the submission, and a way to cancel the job.
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
    public var submission: Submission { place.submission }

    /// Cancels the job for all requests that joined it, as ``IdleQueue/cancel(_:)`` does by key;
    /// returns false if it has ended or was never accepted.
    ///
    /// A later job of the same key is not affected. O(log n).
    @discardableResult
    public func cancel() -> Bool {
        let (slot, numbers) = (place.slot, place.numbers)
        return queue.has(numbers.own, at: slot) || queue.has(numbers.running, at: slot)
            ? queue.cancel(slot) : false
    }
}
