/// The state of the current lull.
struct LullState {
    /// The time at which the current pass before idle began; nil until it's first needed.
    var start: Instant?
    /// The time read at the end of a job, while only an empty poll has followed: one reading of the
    /// clock serves twice.
    var fresh: Instant?
    /// The time at which the host's next timer is due, as far as it's known.
    var hostDue = Instant.distantFuture
    /// The number of the lull; a lull ends when something is dispatched.
    private(set) var number = 0
    /// The number of idle passes in which a worker worked.
    var worked = 0

    /// Ends the lull, when something was dispatched or the loop is about to sleep.
    mutating func isOver() {
        start = nil
        fresh = nil
        hostDue = .distantFuture
        number &+= 1
    }
}
