public import IdleLoop

/// The result of a replay: the figures of the model of replays, in whole nanoseconds and counts.
public struct Figures: Equatable, Sendable {
    /// Row-nanoseconds for which a visible row was not loaded, while the list moved.
    public var blankMoving: Int64 = 0
    /// The same while it rested.
    public var blankResting: Int64 = 0
    /// Times the list rested for 100 ms or more.
    public var rests = 0
    /// Rests in which some row was never filled.
    public var settleNever = 0
    /// The time until each rest that filled was full, in order.
    public var settles: [Int64] = []
    /// Loads begun.
    public var loadsStarted = 0
    /// Loads finished.
    public var loadsFinished = 0
    /// Loads that failed.
    public var loadsFailed = 0
    /// Loads whose row was then seen for a tenth of a second.
    public var loadsUseful = 0
    /// Nanoseconds spent on loading.
    public var loadCost: Int64 = 0
    /// Nanoseconds of it for rows that weren't seen, or weren't finished.
    public var wastedCost: Int64 = 0
    /// Frames shown.
    public var framesShown = 0
    /// Frames that ended after the next was due.
    public var framesLate = 0
    /// Frames that were not shown because the one before wasn't done.
    public var framesDropped = 0
    /// By how much frames were late, in all.
    public var hitch: Int64 = 0
    /// The length of the trace with its tail.
    public var end: Int64 = 0
    /// The delay of each input, in order of length.
    public var inputDelays: [Int64] = []
    /// The counts of the queue.
    public var queue = QueueStatistics()

    /// Row-nanoseconds for which a visible row was not loaded.
    public var blank: Int64 { blankMoving + blankResting }
    /// Loads that were finished and not useful.
    public var loadsWasted: Int { loadsFinished - loadsUseful }
    /// The part of the cost that was wasted.
    public var wasteShare: Double { loadCost == 0 ? 0 : Double(wastedCost) / Double(loadCost) }
    /// Milliseconds late for each second.
    public var hitchRatio: Double { end == 0 ? 0 : Double(hitch) / Double(end) * 1000 }

    /// Nothing yet.
    public init() {}

    /// The figures of several replays together.
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
            end += figures.end
            inputDelays += figures.inputDelays
            queue.add(figures.queue)
        }
        settles.sort()
        inputDelays.sort()
    }

    /// The value at a percentile of sorted ones, by nearest rank; 0 if there's none.
    public static func percentile(_ percent: Int, of sorted: [Int64]) -> Int64 {
        sorted.isEmpty ? 0 : sorted[(percent * sorted.count + 99) / 100 - 1]
    }
}
