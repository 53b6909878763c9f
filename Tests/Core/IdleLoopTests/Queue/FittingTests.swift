import Glibc
import IdleLoop
import TestSupport
import Testing

/// Which jobs run before a timer or frame that says how late it may be.
struct FittingTests {
    /// A queue whose log has the millisecond before each line, and a timer at 10 ms.
    private func bench(tolerance: Duration? = .milliseconds(1)) throws -> QueueBench {
        let bench = try QueueBench()
        bench.loop.schedule(at: .milliseconds(10), tolerance: tolerance) { bench.note("timer") }
        return bench
    }

    // MARK: - Held back

    @Test func `a job that doesn't fit waits for the timer`() throws {
        let bench = try bench()
        let cost = Duration.milliseconds(11) + .nanoseconds(1)
        bench.submit("long", .highest, cost: cost, taking: cost)
        try bench.run()
        #expect(bench.log == ["timer", "long runs", "long done"])
        #expect(bench.queue.statistics.heldBack == 1)
        #expect(bench.queue.statistics.overruns == 0)
        #expect(bench.time.now == .milliseconds(21).advanced(by: .nanoseconds(1)))
    }

    @Test func `a job that fits exactly runs`() throws {
        let bench = try bench()
        bench.submit("exact", cost: .milliseconds(11), taking: .milliseconds(11))
        try bench.run()
        #expect(bench.log == ["exact runs", "exact done", "timer"])
        #expect(bench.queue.statistics.heldBack == 0)
        #expect(bench.queue.statistics.overruns == 0)
    }

    @Test func `a timer without a tolerance holds nothing back`() throws {
        let bench = try bench(tolerance: nil)
        bench.submit("long", cost: .seconds(3600), taking: .seconds(3600))
        try bench.run()
        #expect(bench.log == ["long runs", "long done", "timer"])
        #expect(bench.queue.statistics.overruns == 0)
    }

    @Test func `where nothing is armed nothing is held back`() throws {
        let bench = try QueueBench()
        for key in 0..<10 {
            bench.submit("\(key)", kind: WorkKind("\(key)"), taking: .seconds(key))
        }
        try bench.run()
        #expect(bench.runs == (0..<10).map { "\($0)" })
        #expect(bench.queue.statistics.heldBack == 0)
        #expect(bench.loop.statistics.sleeps == 0)
    }

    @Test func `the earliest limit counts, not the earliest timer`() throws {
        let bench = try QueueBench()
        bench.loop.schedule(at: .milliseconds(5), tolerance: .milliseconds(20)) {}
        let strict = bench.loop.schedule(at: .milliseconds(8), tolerance: .zero) {}
        bench.submit("9 ms", cost: .milliseconds(9), taking: .milliseconds(9))
        bench.loop.schedule(at: .milliseconds(2)) { strict.cancel() }
        try bench.run()
        // From 2 ms on only the first is armed: 11 is before 25.
        #expect(bench.time.now == .milliseconds(11))
        #expect(bench.queue.statistics.overruns == 0)
    }

    @Test func `slices are not held back, and end when the next thing is due`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        var late: [Duration] = []
        let frames = loop.frames(every: .microseconds(4700), tolerance: .zero) {
            late.append($0.delay)
        }
        var slices: [Duration] = []
        queue.submit(1) { slot in
            let slice = slot.now.duration(to: slot.sliceEnd)
            time.charge(slice)
            slices.append(slice)
            if slices.count == 9 { frames.cancel() }
            return slices.count == 9 ? .done : .again
        }
        try loop.run()
        let two = Duration.milliseconds(2)
        #expect(slices == (0..<3).flatMap { _ in [two, two, .microseconds(700)] })
        #expect(late.allSatisfy { $0 == .zero })
        #expect(queue.statistics.heldBack == 0)
    }

    // MARK: - Who goes first

    @Test func `a job that doesn't fit is passed by those that do, in that lull only`() throws {
        let bench = try QueueBench()
        let timer = bench.loop.schedule(
            at: .milliseconds(10), every: .milliseconds(10), tolerance: .zero
        ) { bench.note("timer") }
        bench.loop.schedule(at: .milliseconds(45)) { timer.cancel() }
        // Fits into no lull, and is believed to after a while only.
        bench.submit("long", cost: .milliseconds(12), taking: .milliseconds(12))
        for (key, cost) in [("a", 4000), ("b", 3000), ("c", 2500), ("d", 2000)] {
            bench.submit(key, cost: .microseconds(cost), taking: .microseconds(cost))
        }
        try bench.run()
        #expect(bench.runs == ["a", "b", "c", "long", "d"])
    }

    @Test func `of those that fit the most urgent goes first, then the longest`() throws {
        let bench = try bench(tolerance: .zero)
        bench.submit("held", .highest, cost: .milliseconds(20), taking: .milliseconds(20))
        for (key, priority, cost) in [
            ("near 5", Priority.normal, 5), ("approach 2", .high, 2), ("approach 4", .high, 4),
            ("near 3", .normal, 3), ("approach 11", .high, 11),
        ] {
            bench.submit(
                key, priority, cost: .milliseconds(cost), taking: .milliseconds(cost))
        }
        try bench.run()
        #expect(
            bench.runs == ["approach 4", "approach 2", "near 3", "held", "approach 11", "near 5"])
    }

    @Test func `a job of slices that goes first leaves the next lull to the one it passed`() throws
    {
        let bench = try QueueBench()
        let timer = bench.loop.schedule(
            at: .milliseconds(10), every: .milliseconds(15), tolerance: .zero
        ) {}
        bench.loop.schedule(at: .milliseconds(100)) { timer.cancel() }
        bench.submit("held", .highest, cost: .milliseconds(12), taking: .milliseconds(12)) {
            bench.note("at \(bench.time.now.nanoseconds / 1_000_000)")
            return .done
        }
        bench.submit("sliced", .normal, slices: 30)
        try bench.run()
        #expect(bench.log.contains("at 22"))
    }

    @Test func `past a held job jobs in slices go on by their urgency`() throws {
        let bench = try QueueBench()
        let timer = bench.loop.schedule(
            at: .milliseconds(10), every: .milliseconds(15), tolerance: .zero
        ) {}
        bench.loop.schedule(at: .milliseconds(100)) { timer.cancel() }
        bench.submit("held", .highest, cost: .milliseconds(12), taking: .milliseconds(12))
        bench.submit("long", .low, slices: 9)
        bench.loop.schedule(at: .milliseconds(5)) {
            bench.submit("equal", .low, slices: 1)
            bench.submit("urgent", .high, slices: 2)
        }
        try bench.run()
        #expect(bench.runs.filter { $0 != "long" } == ["urgent", "urgent", "held", "equal"])
        #expect(bench.runs.prefix(5) == ["long", "long", "long", "urgent", "urgent"])
        #expect(bench.queue.statistics.overruns == 0)
    }

    // MARK: - What is learned

    /// Hands in a job where the next timer leaves it `room`; returns whether it ran before the timer.
    private func fits(
        _ key: String, in room: Duration, on bench: QueueBench, cost: Duration? = nil,
        kind: WorkKind? = nil, taking: Duration
    ) throws -> Bool {
        bench.log = []
        bench.loop.schedule(after: room, tolerance: .zero) { bench.note("timer") }
        bench.submit(key, cost: cost, kind: kind, taking: taking)
        try bench.run()
        return bench.log.last == "timer"
    }

    @Test func `a kind is held back by what it has cost, and by how much that varies`() throws {
        let bench = try QueueBench()
        bench.submit("first", kind: "k", taking: .milliseconds(8))
        try bench.run()
        #expect(
            try fits("exact", in: .milliseconds(8), on: bench, kind: "k", taking: .milliseconds(8)))
        #expect(
            try !fits(
                "long", in: .microseconds(7999), on: bench, kind: "k", taking: .milliseconds(8)))
        for key in 0..<40 {
            bench.submit("\(key)", kind: "k", taking: .milliseconds(key % 2 == 0 ? 6 : 10))
        }
        try bench.run()
        // It's two milliseconds off as a rule, so five are left for it.
        #expect(
            try !fits(
                "varied", in: .milliseconds(12), on: bench, kind: "k", taking: .milliseconds(8)))
        #expect(
            try fits("fits", in: .milliseconds(14), on: bench, kind: "k", taking: .milliseconds(8)))
    }

    @Test func `what fails counts for its kind, and what was stale doesn't`() throws {
        let bench = try QueueBench()
        bench.submit("fails", kind: "k", taking: .milliseconds(4)) { throw QueueTests.Trouble() }
        bench.submit("stale", kind: "k", taking: .seconds(1)) { .skipped }
        try bench.run()
        #expect(
            try fits("exact", in: .milliseconds(4), on: bench, kind: "k", taking: .milliseconds(4)))
        #expect(
            try !fits("long", in: .milliseconds(3), on: bench, kind: "k", taking: .milliseconds(4)))
    }

    @Test func `a kind that was never seen is expected to cost what all have`() throws {
        let bench = try QueueBench()
        #expect(try fits("first", in: .milliseconds(1), on: bench, kind: "k", taking: .zero))
        for key in 0..<4 { bench.submit("\(key)", kind: "k", taking: .milliseconds(5)) }
        try bench.run()
        #expect(try !fits("new", in: .milliseconds(3), on: bench, kind: "new", taking: .zero))
    }

    @Test func `given costs are corrected by what they turn out to be`() throws {
        let bench = try QueueBench()
        for key in 0..<40 {
            let cost = Duration.milliseconds(1 + key % 5)
            bench.submit("\(key)", cost: cost, taking: cost * 2)
        }
        try bench.run()
        let cost = Duration.milliseconds(3)
        #expect(try !fits("long", in: .milliseconds(5), on: bench, cost: cost, taking: cost * 2))
        #expect(try fits("fits", in: .milliseconds(7), on: bench, cost: cost, taking: cost * 2))
    }

    /// What is asked of the queue beside frames, at its level: hints that are off by a fifth.
    @Test(arguments: [60, 120], [false, true])
    func `whole jobs use most of the room between frames, and few frames are late`(
        frequency: Int, hasKinds: Bool
    ) throws {
        var random = SplitMix64(seed: 7)
        let bench = try QueueBench()
        var (worked, late, key) = (Duration.zero, 0, 0)
        let tolerance = Duration.microseconds(500)
        func fill() {
            while bench.queue.count < 30 {
                key += 1
                let kind = Int.random(in: 0..<8, using: &random)
                let usual = 200 * exp2(Double(kind) * 0.6)
                let took = Duration.microseconds(
                    Int(usual * .random(in: 0.8...1.2, using: &random)))
                bench.queue.submit(
                    "\(key)", cost: hasKinds ? nil : .microseconds(Int(usual)),
                    kind: hasKinds ? WorkKind(kind) : nil
                ) { _ in
                    bench.time.charge(took)
                    worked += took
                    return .done
                }
            }
        }
        let frames = bench.loop.frames(
            every: .nanoseconds(1_000_000_000 / frequency), tolerance: tolerance
        ) { frame in
            if frame.delay > tolerance { late += 1 }
            bench.time.charge(.milliseconds(2))
        }
        let supply = bench.loop.observe(.beforeIdle) { _ in fill() }
        try bench.loop.run(until: .milliseconds(20_000))
        frames.cancel()
        supply.cancel()
        let room = Duration.milliseconds(20_000 - 20 * frequency * 2)
        #expect(late < 20 * frequency / 100)
        #expect(worked / room > 0.93)
        bench.queue.close()
    }

    @Test func `asking again for what a worker has brought doesn't make it long`() throws {
        let bench = try QueueBench()
        let pool = try WorkerPool(width: 1, on: bench.loop)
        func ask() {
            bench.queue.submit(
                "row", on: pool, cost: .milliseconds(50), onEnd: { _ in }, work: { 1 }
            ) { _ in
                { _ in
                    bench.note("commit at \(bench.time.now.nanoseconds / 1_000_000)")
                    return .done
                }
            }
        }
        ask()
        // While its commit waits behind a long job it's asked for again, as a scroll would.
        bench.loop.schedule(at: .milliseconds(49)) {
            bench.submit("other", .highest, taking: .milliseconds(5)) {
                bench.loop.schedule(at: .milliseconds(58), tolerance: .zero) { bench.note("timer") }
                return .again
            }
        }
        bench.loop.schedule(at: .milliseconds(51)) {
            ask()
            bench.queue.cancel("other")
        }
        try bench.run()
        #expect(bench.log.last == "timer")
        #expect(bench.log.contains("commit at 54"))
    }

    // MARK: - Too long for any lull

    @Test func `a job that lulls have room for, but never when it's asked, starts in the ninth`()
        throws
    {
        let bench = try QueueBench()
        bench.loop.schedule(at: .zero, every: .milliseconds(20), tolerance: .zero) {
            // It goes first, and leaves half of the room.
            bench.submit("row", .highest, taking: .milliseconds(10))
        }
        var started: Instant?
        bench.submit("long", cost: .milliseconds(15)) {
            started = bench.time.now
            bench.time.charge(.milliseconds(15))
            bench.loop.stop()
            return .done
        }
        try bench.run()
        #expect(started == .milliseconds(8 * 20 + 10))
        #expect(bench.queue.statistics.heldBack == 9)
        #expect(bench.queue.statistics.overruns == 1)
        bench.queue.close()
    }

    @Test func `a job too long for any lull starts right after a frame, and is counted`() throws {
        let bench = try QueueBench()
        var frames: FrameSource?
        defer { frames = nil }
        var started: Instant?
        var last: Frame?
        frames = bench.loop.frames(every: .milliseconds(16), tolerance: .milliseconds(1)) {
            last = $0
            bench.time.charge(.milliseconds(2))
            if $0.number == 20 { frames?.cancel() }
        }
        bench.loop.schedule(at: .milliseconds(7)) {
            bench.submit("long", cost: .milliseconds(40)) {
                started = bench.time.now
                #expect(last?.due.advanced(by: .milliseconds(2)) == started)
                bench.time.charge(.milliseconds(40))
                return .done
            }
        }
        try bench.run()
        // Held in the lull in which it came, started in the one after.
        #expect(started == .milliseconds(16 + 2))
        #expect(bench.queue.statistics.heldBack == 2)
        #expect(bench.queue.statistics.overruns == 1)
    }

    @Test func `a long job doesn't starve behind short ones that never end`() throws {
        let bench = try QueueBench()
        var number = 0
        func supply() {
            number += 1
            bench.submit("\(number)", cost: .milliseconds(3), taking: .milliseconds(3)) {
                supply()
                return .done
            }
        }
        let frames = bench.loop.frames(every: .milliseconds(16), tolerance: .zero) { _ in }
        for _ in 0..<4 { supply() }
        bench.submit("long", cost: .milliseconds(40), taking: .milliseconds(40)) {
            frames.cancel()
            bench.loop.stop()
            return .done
        }
        try bench.loop.run(until: .milliseconds(16 * 20))
        #expect(bench.log.contains("long done"))
        #expect(bench.queue.statistics.overruns == 1)
        bench.queue.close()
    }
}
