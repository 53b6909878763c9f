/// What a loop knows of the lull it's in.
struct Lull {
    /// When the present pass before idle began; nil until somebody asks.
    var start: Instant?
    /// The present moment, if the clock was read at the end of a job and nothing but an empty poll
    /// has come since: one reading of the clock serves for two.
    var fresh: Instant?
    /// Counts the lulls: something dispatched ends one.
    private(set) var number = 0
    /// Counts the idle passes in which somebody worked.
    var worked = 0

    /// Something was dispatched, or the loop sleeps.
    mutating func isOver() {
        start = nil
        fresh = nil
        number &+= 1
    }
}
