// Which job fits into a lull.
extension JobQueue {
    /// The job to run at `now`: the next one, if it fits into the lull; else a shorter one behind it
    /// that does, but never a second time past the same job; else none until the lull has passed.
    ///
    /// Where no timer or frame says how late it may be, everything fits. O(1).
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

    /// The job that was held back when the one that has begun went first, if that isn't done yet.
    private func passed(by slot: Int) -> Int? {
        guard jobs.value[slot].wentPast, let first = jobs.value.mostUrgent, first != slot else {
            return nil
        }
        return first
    }

    /// Notes how much room a lull has; true if it has just begun.
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

    /// Whether a job doesn't fit into any lull, as it was there for a whole one and the last few had
    /// no more room; it then runs at the start of a lull, when it does least harm.
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

    /// A job behind the one that is held back that ends in time.
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

    /// A frame that is expected by descriptor may not come: then the loop must not sleep over the
    /// job that was held back for it.
    private func waitForFrame(until limit: Instant) {
        guard loop.isSetByFrame(limit), retryTimer == nil else { return }
        let after = limit.later(by: 1)
        retryTimer = loop.schedule(at: after) { [weak self] in
            self?.retryTimer = nil
            self?.loop.wantIdle()
        }
    }
}

/// What a queue knows of the lulls it fits its jobs into.
struct Fitting {
    /// The limit of the last of them.
    var limit = Instant.distantFuture
    /// The room that the last few had.
    var rooms = LullRooms()
    /// The lull in which a job of unknown cost was tried.
    var probedIn = -1
}

/// The room that the last few lulls had, in nanoseconds.
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
