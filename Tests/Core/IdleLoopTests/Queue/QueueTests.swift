import IdleLoop
import Testing

struct QueueTests {
    struct Trouble: Error {}

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

    @Test func `each request is counted once, as accepted or joined, also while its job runs`()
        throws
    {
        let bench = try QueueBench()
        bench.submit("a") {
            bench.submit("a")
            bench.submit("a")
            return .done
        }
        bench.submit("a")
        try bench.run()
        let statistics = bench.queue.statistics
        #expect(statistics.accepted == 2)
        #expect(statistics.joined == 2)
        #expect(statistics.done == 2)
    }
}
