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
            bench.submit("\(key)", kind: JobKind("\(key)"), taking: .seconds(key))
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

    @Test func `each job is passed once, not each lull`() throws {
        let bench = try QueueBench()
        let timer = bench.loop.schedule(
            at: .milliseconds(10), every: .milliseconds(10), tolerance: .zero
        ) { bench.note("timer") }
        bench.loop.schedule(at: .milliseconds(45)) { timer.cancel() }
        // Fits into no lull, and is believed to after a while only.
        bench.submit("long", cost: .milliseconds(12), taking: .milliseconds(12))
        for key in ["a", "b", "c"] {
            bench.submit(key, cost: .milliseconds(1), taking: .milliseconds(1))
        }
        try bench.run()
        #expect(bench.runs == ["a", "long", "b", "c"])
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
            bench.runs == ["approach 4", "held", "approach 2", "approach 11", "near 5", "near 3"])
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

    @Test func `of jobs of unknown kinds one is tried a lull`() throws {
        let bench = try QueueBench()
        var starts: [Int64] = []
        let frames = bench.loop.frames(every: .milliseconds(10), tolerance: .zero) { _ in }
        bench.loop.schedule(at: .milliseconds(55)) { frames.cancel() }
        for kind in ["w", "x", "y", "z"] {
            bench.submit(kind, kind: JobKind(kind)) {
                starts.append(bench.time.now.nanoseconds / 1_000_000)
                bench.time.charge(.milliseconds(1))
                return .done
            }
        }
        try bench.run()
        #expect(starts == [0, 10, 20, 30])
    }

    @Test(arguments: seeds(0..<20))
    func `a kind's cost is its mean and mean deviation, a quarter new`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bench = try QueueBench()
        var model: (mean: Double, deviation: Double)?
        for key in 0..<100 {
            let cost = Int64.random(in: 0...5_000_000, using: &random)
            bench.submit("\(key)", kind: "k", taking: .nanoseconds(cost)) {
                if key % 7 == 3 { throw QueueTests.Trouble() }
                return .done
            }
            bench.submit("stale \(key)", kind: "k", taking: .seconds(1)) { .skipped }
            try bench.run()
            let new = Double(cost)
            if let (mean, deviation) = model {
                model = (
                    0.75 * mean + 0.25 * new, 0.75 * deviation + 0.25 * (new - mean).magnitude
                )
            } else {
                model = (new, 0)
            }
            let expected = try #require(model)
            let learned = try #require(bench.queue.expectedCost(of: "k"))
            let difference = learned / .nanoseconds(1) - (expected.mean + expected.deviation)
            #expect(abs(difference) < 16, "in nanoseconds, of \(cost)")
        }
    }

    @Test func `a kind is held back by what it has cost`() throws {
        let bench = try QueueBench()
        bench.submit("first", kind: "k", taking: .milliseconds(8))
        try bench.run()
        bench.loop.schedule(after: .milliseconds(8), tolerance: .zero) {
            bench.note("timer")
        }
        bench.submit("fits", kind: "k", taking: .milliseconds(12))
        try bench.run()
        // Now it is expected to take 9 + 1 ms.
        #expect(bench.queue.expectedCost(of: "k") == .milliseconds(10))
        #expect(bench.queue.statistics.overruns == 1)
        bench.loop.schedule(after: .milliseconds(10), tolerance: .zero) { bench.note("timer") }
        bench.submit("fits too", kind: "k", taking: .milliseconds(9))
        try bench.run()
        bench.loop.schedule(after: .milliseconds(9), tolerance: .zero) { bench.note("timer") }
        bench.submit("is held", kind: "k", taking: .milliseconds(9))
        try bench.run()
        #expect(
            bench.log.filter { !$0.hasSuffix("done") } == [
                "first runs", "fits runs", "timer", "fits too runs", "timer", "timer",
                "is held runs",
            ])
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
        // Held in the first whole lull that it saw, started in the one after.
        let start = try #require(started)
        #expect(start <= .milliseconds(16 * 3 + 2))
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
