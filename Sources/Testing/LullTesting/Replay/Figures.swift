public import IdleLoop

/// The result of a replay: the figures of the model of replays.
public struct Figures: Equatable, Sendable {
    /// The row-time for which visible rows were not loaded while the list moved: a second for each
    /// row and second.
    public var blankMoving = Duration.zero
    /// The row-time for which visible rows were not loaded while the list rested.
    public var blankResting = Duration.zero
    /// The number of times that the list rested for 100 ms or more.
    public var rests = 0
    /// The number of rests in which some row was never loaded.
    public var settleNever = 0
    /// The times from each rest until all its rows were loaded, in ascending order.
    public var settles: [Duration] = []
    /// The number of loads begun.
    public var loadsStarted = 0
    /// The number of loads finished.
    public var loadsFinished = 0
    /// The number of loads that failed.
    public var loadsFailed = 0
    /// The number of loads whose row was then visible for a tenth of a second.
    public var loadsUseful = 0
    /// The time spent on loading.
    public var loadCost = Duration.zero
    /// The time spent on rows that were not visible for that long, or not finished.
    public var wastedCost = Duration.zero
    /// The number of frames shown.
    public var framesShown = 0
    /// The number of frames that ended after the next was due.
    public var framesLate = 0
    /// The number of frames that were not shown because the one before wasn't done.
    public var framesDropped = 0
    /// The total lateness of frames.
    public var hitch = Duration.zero
    /// The length of the trace, including its tail.
    public var length = Duration.zero
    /// The delays of the inputs, in ascending order.
    public var inputDelays: [Duration] = []
    /// The counts of the queue.
    public var queue = QueueStatistics()

    /// The row-time for which visible rows were not loaded.
    public var blank: Duration { blankMoving + blankResting }
    /// The number of loads that were finished and not useful.
    public var loadsWasted: Int { loadsFinished - loadsUseful }
    /// The share of the cost that was wasted.
    public var wasteShare: Double { wastedCost.share(of: loadCost) }
    /// The lateness of frames in milliseconds per second of the trace.
    public var hitchRatio: Double { hitch.share(of: length) * 1000 }

    /// Creates figures that are all zero.
    public init() {}

    /// Creates the sum of several replays' figures.
    public init(sumOf all: [Figures]) {
        for figures in all {
            blankMoving += figures.blankMoving
            blankResting += figures.blankResting
            rests += figures.rests
            settleNever += figures.settleNever
            settles += figures.settles
            loadsStarted += figures.loadsStarted
            loadsFinished += figures.loadsFinished
            loadsFailed += figures.loadsFailed
            loadsUseful += figures.loadsUseful
            loadCost += figures.loadCost
            wastedCost += figures.wastedCost
            framesShown += figures.framesShown
            framesLate += figures.framesLate
            framesDropped += figures.framesDropped
            hitch += figures.hitch
            length += figures.length
            inputDelays += figures.inputDelays
            queue.add(figures.queue)
        }
        settles.sort()
        inputDelays.sort()
    }

    /// Returns the value at a percentile of sorted values, by nearest rank; zero if there are none.
    public static func percentile(_ percent: Int, of sorted: [Duration]) -> Duration {
        sorted.isEmpty ? .zero : sorted[(percent * sorted.count + 99) / 100 - 1]
    }
}

extension Duration {
    /// Returns the quotient of whole nanoseconds, the same on every machine; 0 if `whole` is zero.
    fileprivate func share(of whole: Duration) -> Double {
        whole == .zero ? 0 : Double(wholeNanoseconds) / Double(whole.wholeNanoseconds)
    }
}
