/// What a run of a job says of itself.
public enum JobProgress: Sendable {
    /// It is finished.
    case done
    /// It has more to do, in another slice.
    case again
    /// It found itself stale: it did nothing, and the next one runs in its place.
    case skipped
}

/// How a job came to its end; each accepted job has exactly one.
public enum JobEnd {
    /// It said that it's done.
    case done
    /// It found itself stale.
    case skipped
    /// It threw this error, in the lull or off the loop.
    case failed(any Error)
    /// It was taken back, or its queue was closed.
    case cancelled
    /// The queue had no room for it.
    case dropped
}

/// What became of a job that was handed in.
public enum Submission: Sendable {
    /// It waits.
    case queued
    /// A job of its key waits already, or runs: that one stands for both.
    case joined
    /// There was no room, and nothing less urgent to make room: it has ended as dropped.
    case dropped
}

/// A queue's counts; see `isConserved` for the law that binds them.
public struct QueueStatistics: Equatable, Sendable {
    /// Jobs taken in.
    public internal(set) var accepted = 0
    /// Requests that joined a job of their key; not counted under accepted.
    public internal(set) var joined = 0
    /// Jobs that were finished.
    public internal(set) var done = 0
    /// Jobs that found themselves stale.
    public internal(set) var skipped = 0
    /// Jobs that threw.
    public internal(set) var failed = 0
    /// Jobs taken back.
    public internal(set) var cancelled = 0
    /// Jobs for which there was no room.
    public internal(set) var dropped = 0
    /// Jobs in the queue now, with those between two slices or off the loop.
    public internal(set) var waiting = 0
    /// Jobs inside their own call now: 0 or 1.
    public internal(set) var running = 0
    /// Slices run.
    public internal(set) var slices = 0
    /// The most that ever waited at once.
    public internal(set) var longest = 0

    /// Whether every accepted job has ended once or is still there.
    public var isConserved: Bool {
        accepted == done + skipped + failed + cancelled + dropped + waiting + running
    }
}
