/// What a loop has done since it was made, counted.
public struct Statistics: Equatable, Sendable {
    /// Rounds of poll, before idle and sleep.
    public internal(set) var turns = 0
    /// Polls that did not block.
    public internal(set) var polls = 0
    /// Times the loop found nothing ready and called its observers before idle.
    public internal(set) var idlePasses = 0
    /// Times it slept.
    public internal(set) var sleeps = 0
    /// Descriptors, signals, batches of posts and alarms dispatched.
    public internal(set) var dispatched = 0
    /// Timers fired.
    public internal(set) var timersFired = 0
}
