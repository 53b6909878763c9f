import IdleLoop
import LullTesting
import ReplayTerminal

/// Work of a known cost, with previews on the way.
final class ChargedLoad: RowLoad {
    private let work: TimedLoad
    private let cost: Duration
    private var spent = Duration.zero
    /// The remaining previews, the first at the end.
    private var previews: [(share: Double, picture: LivePicture)]

    /// Creates work that takes `cost`, shows each preview after its share of it, and ends with
    /// `outcome`.
    init(
        cost: Duration, previews: [(share: Double, picture: LivePicture)],
        outcome: Result<any Sendable, any Error>
    ) {
        work = TimedLoad(cost: cost, outcome: outcome)
        self.cost = cost
        self.previews = previews.reversed()
    }

    func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)? {
        let start = clock.now
        defer { spent += start.duration(to: clock.now) }
        return try work.step(until: end, on: clock)
    }

    func takePreview() -> (any Sendable)? {
        var newest: LivePicture?
        while let next = previews.last, cost * next.share <= spent {
            newest = next.picture
            previews.removeLast()
        }
        return newest
    }
}
