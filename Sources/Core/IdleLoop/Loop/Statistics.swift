/// The counts of a loop since it was created.
public struct Statistics: Equatable, Sendable {
    /// The number of turns, each of polls, a pass before idle and a sleep.
    public internal(set) var turns = 0
    /// The number of polls that did not block; on a host, those of the host that were seen.
    package internal(set) var polls = 0
    /// The number of times the loop found nothing ready and called its observers before idle.
    public internal(set) var idlePasses = 0
    /// The number of times a host's loop was asked to call when idle, and was busy.
    package internal(set) var busyPasses = 0
    /// The number of sleeps.
    public internal(set) var sleeps = 0
    /// The total time asleep, without the current sleep.
    ///
    /// On a host, where a sleep can't be distinguished from the host's own work, it's the time
    /// between an idle pass and the next callback.
    public internal(set) var timeAsleep = Duration.zero
    /// The number of dispatched descriptors, signals, batches of posts (50 µs of them at most) and
    /// timerfd events.
    public internal(set) var dispatched = 0
    /// The number of fired timers.
    public internal(set) var timersFired = 0
    /// The number of frames begun.
    package internal(set) var frames = 0
    /// The total time that jobs ran on lanes.
    package internal(set) var timeOnLanes = Duration.zero
    /// The total counts of the loop's queues.
    package internal(set) var jobs = QueueStatistics()
}
