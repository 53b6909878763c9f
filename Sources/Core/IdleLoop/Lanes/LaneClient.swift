/// A queue, as its loop's lanes see it, or the work of a pool, as its threads do.
protocol LaneClient: AnyObject {
    /// The order of the job that the next free lane runs; nil if there is none.
    var nextForLanes: HeapOrder? { get }
    /// Whether the loop runs jobs that may run anywhere, too.
    var takesAnywhere: Bool { get set }
    /// The time that its jobs have had on lanes.
    var laneAccount: FairOrder.Account { get set }

    /// Whether the loop is to begin a job for which lanes have room, and hasn't yet.
    var isCalling: Bool { get }

    /// Lets the job leave that the next free lane runs; nil if the loop begins it first.
    func leave() -> LaneRun?
    /// Takes a run back that no lane has begun.
    func readmit(_ run: LaneRun)
    /// Takes a run back from a lane, and tells of the end of its job.
    func takeBack(_ run: LaneRun)
    /// Ends the job of a run that was lost in a fork.
    func lose(_ run: LaneRun)
}

/// A loop's lanes, or the workers of a pool, as the loop sees them.
protocol LoopLanes: AnyObject {
    /// Whether they are a pool's workers, not for lulls of processors.
    var areWorkers: Bool { get }
    /// The time that jobs have had on lanes.
    var timeWorked: Duration { get }
    /// Whether lanes have returned runs that weren't taken, or ask for a look.
    var needsLook: Bool { get }

    /// Takes the runs that lanes have returned, and tells of the ends of their jobs.
    func takeReturned()
    /// Goes on in a forked child, which has none of the parent's threads: jobs that lanes had are lost.
    ///
    /// Throws an error of the system if the process is out of descriptors.
    func reinitAfterFork() throws(LoopError)
    func close()
}
