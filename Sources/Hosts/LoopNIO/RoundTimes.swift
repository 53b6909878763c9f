#if NIO
internal import IdleLoop

/// The times of an event loop's rounds, by which one in which nothing was dispatched is told.
///
/// NIO doesn't say what it has dispatched, but a round without anything takes a few microseconds,
/// and a channel that is read, or a task that serves a request, takes several times as long. The
/// measure is the shortest of the last thousand rounds or two, so that it follows a processor that
/// slows down. A mistake costs one more round, or a request the wait for one more slice.
struct RoundTimes {
    /// The shortest round, in nanoseconds, of the present window and of the one before.
    private var shortest = Int64.max
    private var shortestBefore = Int64.max
    private var count = 0

    private static let window = 1024

    /// The time since which no round was short.
    private var busySince: Instant?

    /// The longest time for which the measure is believed, in nanoseconds.
    private static let longest: Int64 = 50_000_000

    /// Adds a round; returns whether nothing was dispatched in it.
    ///
    /// At the latest after 50 ms it returns true, so that work goes on, at a few per cent of the
    /// time, on a machine whose times tell nothing.
    mutating func add(from start: Instant, to end: Instant) -> Bool {
        if isShort(end.since(start)) || end.since(busySince ?? end) >= Self.longest {
            busySince = nil
            return true
        }
        busySince = busySince ?? end
        return false
    }

    private mutating func isShort(_ time: Int64) -> Bool {
        shortest = min(shortest, time)
        count += 1
        let usual = min(shortest, shortestBefore)
        if count == Self.window {
            (shortestBefore, shortest, count) = (shortest, .max, 0)
        }
        return time / 2 <= usual
    }
}
#endif
