/// The choice of the next job by its expected cost and the time until something is due.
///
/// It learns the costs of jobs and remembers the last lulls. Its times are in nanoseconds, since it
/// is asked in each pass, and a `Duration` has 128 bits.
struct JobFitting {
    private var costs = JobCosts()
    /// The limit of the last lull.
    private var limit = Instant.distantFuture
    private var rooms = LullRooms()
    /// The lull in which a job of unknown cost was tried.
    private var probedIn = -1
    /// The number of times a whole job was held back, counted once per lull.
    private(set) var heldBackCount = 0

    // MARK: - Costs

    /// Returns the number of a kind, and assigns one at first use.
    mutating func number(of kind: JobKind) -> Int { costs.number(of: kind) }

    /// Returns the expected cost of jobs of a kind; nil before one has run.
    func expectedCost(of kind: JobKind) -> Duration? { costs.expected(of: kind) }

    mutating func learn(_ cost: Int64, of job: Job) {
        costs.learn(cost, of: job)
    }

    // MARK: - The choice

    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    ///
    /// That is the next job, if it ends before `limit`; else a job behind it that does: one in slices,
    /// after each of which the held one is tried again, or a shorter whole one, but only one past the
    /// same job. Where no timer or frame has a tolerance, every job fits. O(1).
    mutating func choose(
        from jobs: inout JobTable, before limit: Instant, inLull lull: Int, at now: Instant
    ) -> Int? {
        guard let next = jobs.next else { return nil }
        guard limit < .distantFuture else { return next }
        let isWhole = note(limit, at: now)
        if fits(jobs[next], before: limit, in: lull, at: now) { return next }
        if isTooLong(&jobs[next], before: limit, inWholeLull: isWhole) {
            if case .unknown = costs.expected(of: jobs[next]) { probedIn = lull }
            return next
        }
        let room = jobs[next].wasPassed ? -1 : limit.since(now)
        guard let other = shorter(than: next, jobs, room) else { return nil }
        if jobs[other].isWhole { jobs[next].wasPassed = true }
        return other
    }

    /// Notes the room of a lull; returns true if the lull has just begun.
    private mutating func note(_ limit: Instant, at now: Instant) -> Bool {
        guard limit != self.limit else { return false }
        self.limit = limit
        rooms.add(limit.since(now))
        return true
    }

    private mutating func fits(
        _ job: Job, before limit: Instant, in lull: Int, at now: Instant
    ) -> Bool {
        switch costs.expected(of: job) {
        case .slices: return true
        case .known(let cost): return now.later(by: cost) <= limit
        case .unknown:
            guard probedIn != lull else { return false }
            probedIn = lull
            return true
        }
    }

    /// Returns whether a job doesn't fit into any lull, since it has seen a whole one and the last
    /// few had no more room.
    ///
    /// It then runs at the start of a lull, when it does least harm.
    private mutating func isTooLong(
        _ job: inout Job, before limit: Instant, inWholeLull isWhole: Bool
    ) -> Bool {
        if job.heldBefore != limit {
            job.heldBefore = limit
            job.lullsHeld &+= 1
            heldBackCount += 1
        }
        if job.lullsHeld > LullRooms.count { return true }
        guard isWhole, job.lullsHeld > 1, case .known(let cost) = costs.expected(of: job) else {
            return false
        }
        return cost > rooms.largest
    }

    /// Returns a job behind the one that is held back that ends in time.
    private func shorter(than held: Int, _ jobs: borrowing JobTable, _ room: Int64) -> Int? {
        jobs.fitting(besides: held) { job in
            switch costs.expected(of: job) {
            case .slices: 0
            case .unknown: nil
            case .known(let cost): cost <= room ? cost : nil
            }
        }
    }
}

/// The room in the last few lulls, in nanoseconds.
private struct LullRooms {
    static let count = 8

    private var rooms: InlineArray<8, Int64> = .init(repeating: 0)
    private var next = 0

    mutating func add(_ room: Int64) {
        rooms[next] = room
        next = (next + 1) % LullRooms.count
    }

    var largest: Int64 {
        var largest: Int64 = 0
        for index in rooms.indices { largest = max(largest, rooms[index]) }
        return largest
    }
}
