/// The state of a loop that changes in its passes.
struct LoopState {
    /// Whether work may run: the loop runs, or its host does, and `stop` was not called.
    var mayWork = false
    var isInsideRun = false
    var mode = LoopMode.default
    /// The number of contents that move, and whether the mode is `tracking` for them.
    var tracking = (count: 0, isOwn: false)
    var counts = Statistics()
    /// The time at which the loop last woke up.
    var lastWake = Instant.zero
    /// The time at which the host's next frame is due; `distantFuture` if none is expected.
    var hostFrame = Instant.distantFuture
    /// The number of idle passes in which a worker worked.
    var worked = 0
    /// The number of dispatched events and fired timers that were only the loop's own housekeeping.
    var housekeeping = 0
    var lull = LullState()

    /// A counter that grows with callbacks, fired timers and idle passes with work, but not with
    /// housekeeping.
    var work: Int { counts.dispatched + counts.timersFired + worked - housekeeping }
}

/// The state of the current lull, which ends when something is dispatched or the loop is about to
/// sleep.
struct LullState {
    /// The time at which the current pass before idle began; nil until it's first needed.
    var start: Instant?
    /// The time read at the end of a job, while only an empty poll has followed: one reading of the
    /// clock serves twice.
    var fresh: Instant?
    /// The time at which the host's next timer is due, as far as it's known.
    var hostDue = Instant.distantFuture
}
