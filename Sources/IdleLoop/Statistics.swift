/// What a loop has done since it was made, counted.
public struct Statistics: Equatable, Sendable {
    /// Rounds of poll, before idle and sleep.
    public internal(set) var turns = 0
    /// Polls that did not block; on an adopted base those of the host that were seen.
    public internal(set) var polls = 0
    /// Times the loop found nothing ready and called its observers before idle.
    public internal(set) var idlePasses = 0
    /// Times a host's loop was asked to call when idle, and wasn't.
    public internal(set) var busyPasses = 0
    /// Times it slept.
    public internal(set) var sleeps = 0
    /// How long it slept, up to the present sleep; on an adopted base, where sleep can't be told from
    /// the host's own business, the time between an idle pass and the next callback.
    public internal(set) var timeAsleep = Duration.zero
    /// Descriptors, signals, batches of posts (50 µs of them at most) and alarms dispatched.
    public internal(set) var dispatched = 0
    /// Timers fired.
    public internal(set) var timersFired = 0
    /// Frames begun.
    public internal(set) var frames = 0
    /// What became of the jobs of all its queues.
    package internal(set) var jobs = QueueStatistics()
}
