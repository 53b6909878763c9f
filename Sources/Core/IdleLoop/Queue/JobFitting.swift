internal import LullLibC

/// The choice of the next job by its expected cost and the time until something is due.
///
/// Its times are in nanoseconds, since it is asked in each pass, and a `Duration` has 128 bits.
struct JobFitting {
    /// What jobs have cost by their kinds.
    private var kinds = CostEstimator()
    /// What jobs have cost for what was given as their costs.
    private var given = CostLine()
    /// The limit of the last lull.
    private var limit = Instant.distantFuture
    /// The number of times a whole job was held back, counted once per lull.
    private(set) var heldBackCount = 0

    /// The number of lulls in which a job may be held back.
    private static let mostLulls = 8
    /// The least given cost from which something is learned: below it, the measurement is of the loop
    /// rather than of the job.
    private static let leastGiven = 50_000

    // MARK: - Costs

    /// Learns what a run of a job has cost.
    mutating func learn(_ cost: Int64, of job: Job) {
        switch job.cost {
        case .slices: break
        case .kind(let kind): kinds.learn(.nanoseconds(cost), of: kind)
        case .given(let size) where size >= Self.leastGiven:
            // At first given costs are believed.
            if given.count == 0 { given.add(Double(size), size: size) }
            given.add(Double(cost), size: size)
        case .given: break
        }
    }

    /// Returns the nanoseconds that a run of a job rarely exceeds; zero for one that stops in time.
    ///
    /// A kind that was never seen is expected to cost what all have cost.
    private func expectedCost(of job: Job) -> Int64 {
        guard job.isWhole else { return 0 }
        switch job.cost {
        case .slices: return 0
        case .kind(let kind): return (kinds.expected(of: kind) ?? kinds.usual)?.wholeBound ?? 0
        case .given(let size):
            return given.count > 0 ? given.estimate(ofSize: size).wholeBound : Int64(size)
        }
    }

    // MARK: - The choice

    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    ///
    /// That is the next job, if it ends before `limit`; else a job behind it that does: one in slices,
    /// after each of which the held one is tried again, or a shorter whole one, but only one past the
    /// same job. Where no timer or frame has a tolerance, every job fits. O(1).
    mutating func choose(
        from jobs: inout JobTable, before limit: Instant, at now: Instant
    ) -> Int? {
        guard let next = jobs.next, limit < .distantFuture else { return jobs.next }
        let isWholeLull = limit != self.limit
        self.limit = limit
        if !jobs[next].isWhole || now.later(by: expectedCost(of: jobs[next])) <= limit {
            return next
        }
        if jobs[next].noteHeld(before: limit) { heldBackCount += 1 }
        // What doesn't fit into a whole lull starts there, right after what was due, where it does
        // least harm, and what never gets one starts anywhere in the end.
        if jobs[next].lullsHeld > (isWholeLull ? 1 : Self.mostLulls) { return next }
        let room = jobs[next].wasPassed ? -1 : limit.since(now)
        let other = jobs.fitting(besides: next) { job in
            let cost = expectedCost(of: job)
            return !job.isWhole || cost <= room ? cost : nil
        }
        if let other, jobs[other].isWhole { jobs[next].wasPassed = true }
        return other
    }
}
