/// The token of a job that was handed in: the outcome of that, and a way to cancel the job.
///
/// ```swift
/// let job = queue.submit(7) { _ in .done }
/// job.cancel()
/// ```
///
/// The queue keeps the job itself: it runs whether or not anybody holds this, and nothing here keeps
/// the queue open. Copies stand for the same job.
public struct IdleJob {
    /// The token without its queue: no reference is counted where nobody wants the token.
    @usableFromInline
    struct Place {
        let submission: Submission
        var slot = -1
        /// The number of the job, and that of the one it follows, if it does.
        var numbers: (own: UInt64, running: UInt64) = (0, 0)
    }

    private let place: Place
    private let queue: JobQueue

    @usableFromInline
    init(_ place: Place, in queue: JobQueue) {
        self.place = place
        self.queue = queue
    }

    /// The outcome of handing the job in.
    public var submission: Submission { place.submission }

    /// Takes the job back, for all whose requests joined it, as ``IdleQueue/cancel(_:)`` does by its
    /// key; false if it has ended, or was never taken in.
    ///
    /// A later job of the same key is another one. O(log n).
    @discardableResult
    public func cancel() -> Bool {
        let (slot, numbers) = (place.slot, place.numbers)
        return queue.has(numbers.own, at: slot) || queue.has(numbers.running, at: slot)
            ? queue.cancel(slot) : false
    }
}
