// The choice of a job that fits into a lull.
extension JobQueue {
    /// Returns the job to run at `now`; nil if none fits into the rest of the lull.
    ///
    /// That is the next job, if it fits into the lull; else a shorter one behind it that does, but
    /// never a second time past the same job. Where no timer or frame has a tolerance, every job
    /// fits. O(1).
    func choose(at now: Instant) -> Int? {
        guard let next = jobs.value.next else { return nil }
        loop.expectations.lapse(at: now)
        let limit = loop.latestStart
        guard limit < .distantFuture else { return passed(by: next) ?? next }
        let isWhole = noteLimit(limit, at: now)
        if let first = passed(by: next), fits(first, before: limit, at: now) { return first }
        if fits(next, before: limit, at: now) { return next }
        if isTooLong(next, before: limit, inWholeLull: isWhole) {
            if !costsKnown(next) { fitting.value.probedIn = loop.lull.number }
            return next
        }
        if !jobs.value[next].wasOvertaken, let other = shorter(than: next, before: limit, at: now) {
            jobs.value[next].wasOvertaken = true
            jobs.value[other].wentPast = true
            return other
        }
        waitForFrame(until: limit)
        return nil
    }

    /// Returns the job that was held back when the given one went first, if it's still waiting.
    private func passed(by slot: Int) -> Int? {
        guard jobs.value[slot].wentPast, let first = jobs.value.mostUrgent, first != slot else {
            return nil
        }
        return first
    }

    /// Notes the room of a lull; returns true if the lull has just begun.
    private func noteLimit(_ limit: Instant, at now: Instant) -> Bool {
        guard limit != fitting.value.limit else { return false }
        fitting.value.limit = limit
        fitting.value.rooms.add(limit.since(now))
        return true
    }

    private func fits(_ slot: Int, before limit: Instant, at now: Instant) -> Bool {
        switch costs.value.expected(of: jobs.value[slot]) {
        case .slices: return true
        case .known(let cost): return now.later(by: cost) <= limit
        case .unknown:
            guard fitting.value.probedIn != loop.lull.number else { return false }
            fitting.value.probedIn = loop.lull.number
            return true
        }
    }

    private func costsKnown(_ slot: Int) -> Bool {
        if case .unknown = costs.value.expected(of: jobs.value[slot]) { return false }
        return true
    }

    /// Returns whether a job doesn't fit into any lull, since it has seen a whole one and the last
    /// few had no more room.
    ///
    /// It then runs at the start of a lull, when it does least harm.
    private func isTooLong(_ slot: Int, before limit: Instant, inWholeLull isWhole: Bool) -> Bool {
        if jobs.value[slot].heldBefore != limit {
            jobs.value[slot].heldBefore = limit
            jobs.value[slot].lullsHeld &+= 1
            counts.value.heldBack += 1
        }
        if jobs.value[slot].lullsHeld > LullRooms.count { return true }
        guard isWhole, jobs.value[slot].lullsHeld > 1 else { return false }
        guard case .known(let cost) = costs.value.expected(of: jobs.value[slot]) else {
            return false
        }
        return cost > fitting.value.rooms.largest
    }

    /// Returns a job behind the one that is held back that ends in time.
    private func shorter(than held: Int, before limit: Instant, at now: Instant) -> Int? {
        let room = limit.since(now)
        return jobs.value.fitting(besides: held) { job in
            switch costs.value.expected(of: job) {
            case .slices: 0
            case .unknown: nil
            case .known(let cost): cost <= room ? cost : nil
            }
        }
    }

    /// Arms a timer to retry when a frame that is expected by descriptor doesn't arrive, so that
    /// the loop doesn't sleep while a job is held back for it.
    private func waitForFrame(until limit: Instant) {
        guard loop.isSetByFrame(limit), retryTimer == nil else { return }
        let after = limit.later(by: 1)
        retryTimer = loop.schedule(at: after) { [weak self] in
            self?.retryTimer = nil
            self?.loop.wantIdle()
        }
    }
}

/// A queue's record of the lulls into which it fits its jobs.
struct Fitting {
    /// The limit of the last lull.
    var limit = Instant.distantFuture
    /// The room in the last few lulls.
    var rooms = LullRooms()
    /// The lull in which a job of unknown cost was tried.
    var probedIn = -1
}

/// The room in the last few lulls, in nanoseconds.
struct LullRooms {
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
