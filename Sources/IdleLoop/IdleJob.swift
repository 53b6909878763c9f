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
    /// The outcome of handing the job in.
    public let submission: Submission
    private let queue: JobQueue
    private let slot: Int
    /// The number of the job, and that of the one it follows, if it does.
    private let numbers: (own: UInt64, running: UInt64)

    @usableFromInline
    init(
        _ submission: Submission, in queue: JobQueue, slot: Int = -1,
        numbers: (own: UInt64, running: UInt64) = (0, 0)
    ) {
        self.submission = submission
        self.queue = queue
        self.slot = slot
        self.numbers = numbers
    }

    /// Takes the job back, for all whose requests joined it, as ``IdleQueue/cancel(_:)`` does by its
    /// key; false if it has ended, or was never taken in.
    ///
    /// A later job of the same key is another one. O(log n).
    @discardableResult
    public func cancel() -> Bool {
        queue.has(numbers.own, at: slot) || queue.has(numbers.running, at: slot)
            ? queue.cancel(slot) : false
    }
}
