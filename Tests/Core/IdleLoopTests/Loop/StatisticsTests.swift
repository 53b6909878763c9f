import IdleLoop
import TestSupport
import Testing

/// What a loop counts, and what it tells of its turns.
struct StatisticsTests {
    @Test func `the time asleep is all that no work takes`() throws {
        let (loop, time) = try virtualLoop()
        let pipe = NonblockingPipe()
        try loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            time.charge(.milliseconds(1))
        }
        for moment in [10, 20, 30] {
            loop.schedule(at: .milliseconds(moment)) { time.charge(.milliseconds(3)) }
        }
        time.at(.milliseconds(15)) { pipe.put() }
        time.at(.milliseconds(21)) { pipe.put() }  // while it's awake
        try loop.run()
        #expect(time.now == .milliseconds(33))
        let statistics = loop.statistics
        #expect(statistics.timeAsleep == .milliseconds(33 - 3 * 3 - 2))
        #expect(statistics.sleeps == 4)
        #expect(statistics.timersFired == 3)
        #expect(statistics.dispatched == 2)
        #expect(statistics.busyPasses == 0)
        #expect(statistics.polls >= statistics.turns)
        #expect(statistics.turns == statistics.sleeps + 1)
        #expect(statistics.idlePasses == statistics.turns)
    }

    @Test func `queues without a name are listed one by one, those of one name together`() throws {
        let (loop, _) = try virtualLoop()
        let queues = (0..<3).map { _ in IdleQueue<Int>(on: loop) }
        var configuration = QueueConfiguration()
        configuration.name = "named"
        let named = (0..<2).map { _ in IdleQueue<Int>(on: loop, configuration: configuration) }
        for (index, queue) in (queues + named).enumerated() {
            for key in 0...index { queue.submit(key) { _ in .done } }
        }
        try loop.run()
        #expect(
            loop.queueStatistics.mapValues(\.done)
                == ["idle queue": 1, "idle queue 2": 2, "idle queue 3": 3, "named": 9])
        // A name that is free is used again, so that there are no more names than queues.
        queues[1].close()
        let next = IdleQueue<Int>(on: loop)
        next.submit(1) { _ in .done }
        try loop.run()
        #expect(loop.queueStatistics.mapValues(\.done)["idle queue 2"] == 3)
        #expect(loop.queueStatistics.count == 4)
    }

    @Test func `jobs are summed over queues, of those too that are gone`() throws {
        let (loop, time) = try virtualLoop()
        struct Trouble: Error {}
        let first = IdleQueue<Int>(on: loop)
        let second = IdleQueue<String>(on: loop)
        for key in 0..<5 {
            first.submit(key) { _ in
                if key < 4 { time.charge(.milliseconds(key)) }
                if key == 3 { throw Trouble() }
                return key == 4 ? .skipped : .done
            }
        }
        for key in ["a", "b", "c"] { second.submit(key) { _ in .done } }
        second.submit("a") { _ in .done }
        second.cancel("b")
        #expect(loop.statistics.jobs.waiting == 7)
        #expect(loop.statistics.jobs.accepted == 8)
        try loop.run()
        var jobs = loop.statistics.jobs
        #expect(jobs.done == 5)
        #expect(jobs.failed == 1)
        #expect(jobs.skipped == 1)
        #expect(jobs.cancelled == 1)
        #expect(jobs.joined == 1)
        #expect(jobs.slices == 7)
        #expect(jobs.longest == 5)
        #expect(jobs.longestJob == .milliseconds(3))
        #expect(jobs.isConserved)
        first.close()
        #expect(loop.statistics.jobs == jobs)
        second.submit("d") { _ in .done }
        second.close()
        jobs = loop.statistics.jobs
        #expect(jobs.accepted == 9)
        #expect(jobs.cancelled == 2)
        #expect(jobs.isConserved)
    }

    @Test func `the longest wait is the longest from being handed in to the first run`() throws {
        let bench = try QueueBench()
        for key in ["a", "b", "c"] { bench.submit(key, taking: .milliseconds(3)) }
        try bench.loop.run()
        #expect(bench.queue.statistics.longestWait == .milliseconds(6))
    }

    @Test(arguments: [(nil, 7), (Duration.seconds(1), 3)])
    func `a job's job waits from the beginning of the run, and with a timeout from where it was`(
        timeout: Duration?, wait: Int
    ) throws {
        let bench = try QueueBench()
        bench.submit("outer") {
            bench.time.charge(.milliseconds(4))
            bench.submit("inner", timeout: timeout)
            bench.time.charge(.milliseconds(3))
            return .done
        }
        try bench.loop.run()
        #expect(bench.queue.statistics.longestWait == .milliseconds(wait))
    }
}
