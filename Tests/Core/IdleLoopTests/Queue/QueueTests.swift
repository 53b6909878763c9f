import IdleLoop
import Testing

struct QueueTests {
    struct Trouble: Error {}

    @Test func `the most urgent runs first, then the smaller rank, then the older`() throws {
        let bench = try QueueBench()
        bench.submit("near 2", .normal, rank: 2)
        bench.submit("near 1", .normal, rank: 1)
        bench.submit("near 1 again", .normal, rank: 1)
        bench.submit("visible", .highest)
        bench.submit("speculative", .lowest)
        try bench.run()
        #expect(bench.runs == ["visible", "near 1", "near 1 again", "near 2", "speculative"])
    }

    @Test
    func `after each slice the most urgent job goes on, of one priority the one that has begun`()
        throws
    {
        let bench = try QueueBench()
        bench.loop.schedule(at: .milliseconds(1)) {
            bench.submit("first of its equals", rank: -1)
            bench.submit("urgent", .high, slices: 2)
        }
        bench.loop.schedule(at: .milliseconds(3)) { bench.submit("more urgent", .highest) }
        bench.submit("long", slices: 3)
        try bench.run()
        #expect(
            bench.runs == [
                "long", "urgent", "more urgent", "urgent", "long", "long", "first of its equals",
            ])
        #expect(bench.queue.statistics.slices == 7)
    }

    @Test func `an endless job of the lowest priority keeps no other waiting`() throws {
        let bench = try QueueBench()
        bench.submit("endless", .lowest, slices: .max)
        for milliseconds in [5, 50, 500] {
            bench.loop.schedule(at: .milliseconds(milliseconds)) {
                bench.submit("\(milliseconds)", .low) {
                    // After the slice in which it came.
                    #expect(bench.time.now <= .milliseconds(milliseconds + 2))
                    return .done
                }
            }
        }
        try bench.loop.run(until: .milliseconds(1000))
        #expect(bench.runs.filter { $0 != "endless" } == ["5", "50", "500"])
        #expect(bench.queue.count == 1)
    }

    @Test func `a slice ends after 2 ms, or when a timer is due`() throws {
        let bench = try QueueBench()
        var slices: [Duration] = []
        bench.loop.schedule(at: .milliseconds(5)) {}
        bench.queue.submit("work") { slot in
            let slice = slot.now.duration(to: slot.sliceEnd)
            slices.append(slice)
            bench.time.charge(slice)
            return slices.count < 4 ? .again : .done
        }
        try bench.run()
        #expect(
            slices == [.milliseconds(2), .milliseconds(2), .milliseconds(1), .milliseconds(2)])
    }

    @Test func `a job that throws has failed, and a stale one costs its successor nothing`() throws
    {
        let bench = try QueueBench()
        bench.submit("bad") { throw Trouble() }
        bench.submit("stale") { .skipped }
        bench.submit("good")
        try bench.run()
        #expect(bench.ends == ["bad failed", "stale skipped", "good done"])
        // The stale one and the good one ran in one lull.
        #expect(bench.loop.statistics.idlePasses == 3)
    }

    @Test func `lulls pass and nothing runs once the queue is empty`() throws {
        let bench = try QueueBench()
        bench.submit("only")
        bench.loop.schedule(at: .milliseconds(100), every: .milliseconds(100)) {}
        try bench.loop.run(until: .milliseconds(1000))
        #expect(bench.queue.statistics.slices == 1)
        // One turn with the job, one for each beat, with its sleep.
        #expect(bench.loop.statistics.turns == 1 + 10 + 1)
    }
}
