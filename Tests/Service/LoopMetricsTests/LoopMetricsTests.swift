#if Metrics
import CoreMetrics
import IdleLoop
import LoopMetrics
import MetricsTestKit
import Testing

/// What a metrics system is told of a loop.
struct LoopMetricsTests {
    private let time = VirtualTime()
    private let factory = TestMetrics()
    private let loop: MainLoop

    init() throws {
        loop = try MainLoop(clock: .virtual(time))
    }

    private var elapsed: Duration { Instant.zero.duration(to: time.now) }

    private func queue(_ name: String, limit: Int = 30) -> IdleQueue<Int> {
        var configuration = QueueConfiguration()
        configuration.name = name
        configuration.limit = limit
        configuration.batch = .zero
        return IdleQueue(on: loop, configuration: configuration)
    }

    private func metrics(timesWork: Bool = false) -> LoopMetrics {
        var configuration = LoopMetrics.Configuration()
        configuration.name = "test"
        configuration.timesWork = timesWork
        return LoopMetrics(of: loop, configuration: configuration, factory: factory)
    }

    private func sum(_ label: String, _ dimensions: [(String, String)] = []) throws -> Int64 {
        try factory.expectCounter(label, [("loop", "test")] + dimensions).totalValue
    }

    private func level(_ label: String, of queue: String) throws -> Double? {
        try factory.expectRecorder(label, [("loop", "test"), ("queue", queue)]).lastValue
    }

    @Test func `counters add up to the loop's counts`() throws {
        for moment in 1...3 { loop.schedule(after: .milliseconds(moment)) {} }
        try loop.run()
        let metrics = metrics()
        for second in [30, 90] { loop.schedule(after: .seconds(second)) {} }
        try loop.run()
        metrics.report()
        let statistics = loop.statistics
        #expect(try sum("lull_loop_turns") == statistics.turns)
        #expect(try sum("lull_loop_polls") == statistics.polls)
        #expect(try sum("lull_loop_sleeps") == statistics.sleeps)
        #expect(try sum("lull_loop_idle_passes") == statistics.idlePasses)
        #expect(try sum("lull_loop_timers_fired") == 7)
        #expect(try sum("lull_loop_frames") == 0)
    }

    @Test func `the release is a metric`() throws {
        let metrics = metrics()
        defer { metrics.cancel() }
        let build =
            [("version", LullBuild.version)] + (LullBuild.commit.map { [("commit", $0)] } ?? [])
        #expect(try factory.expectRecorder("lull_build_info", build).lastValue == 1)
    }

    @Test func `jobs are counted by queue and outcome`() throws {
        struct Trouble: Error {}
        let metrics = metrics()
        let (first, second) = (queue("first", limit: 4), queue("second"))
        for key in 0..<5 {
            first.submit(key) { _ in
                if key == 3 { throw Trouble() }
                return key == 4 ? .skipped : .done
            }
        }
        first.cancel(1)
        second.submit(1) { _ in .done }
        second.submit(1) { _ in .done }
        metrics.report()
        #expect(try level("lull_queue_waiting", of: "first") == 3)
        try loop.run()
        let outcomes = ["done", "skipped", "failed", "cancelled", "dropped"]
        func counts(of name: String) throws -> [Int64] {
            try outcomes.map { try sum("lull_queue_jobs", [("queue", name), ("outcome", $0)]) }
        }
        #expect(try counts(of: "first") == [1, 1, 1, 1, 1])
        #expect(try counts(of: "second") == [1, 0, 0, 0, 0])
        #expect(try sum("lull_queue_accepted", [("queue", "first")]) == 5)
        #expect(try sum("lull_queue_joined", [("queue", "second")]) == 1)
        #expect(try level("lull_queue_waiting", of: "first") == 0)
        #expect(try level("lull_queue_waiting_most", of: "first") == 4)
    }

    @Test func `the longest wait and the longest run are gauges in seconds`() throws {
        let metrics = metrics()
        let queue = queue("jobs")
        for key in 0..<3 {
            queue.submit(key) { _ in
                time.charge(.milliseconds(250 * (key + 1)))
                return .done
            }
        }
        try loop.run()
        #expect(try level("lull_queue_wait_longest_seconds", of: "jobs") == 0.75)
        #expect(try level("lull_queue_run_longest_seconds", of: "jobs") == 0.75)
        withExtendedLifetime(metrics) {}
    }

    @Test func `queues of one name count together, those too that are gone`() throws {
        let metrics = metrics()
        for round in 1...3 {
            let queues = [queue("jobs"), queue("jobs")]
            for queue in queues {
                for key in 0..<round { queue.submit(key) { _ in .done } }
            }
            try loop.run()
        }
        metrics.report()
        #expect(try sum("lull_queue_jobs", [("queue", "jobs"), ("outcome", "done")]) == 12)
    }

    @Test func `while there's work, counts are handed on once a period`() throws {
        let metrics = metrics()
        let queue = queue("jobs")
        queue.submit(1) { _ in
            time.charge(.milliseconds(100))
            return elapsed < .seconds(60) ? .again : .done
        }
        try loop.run()
        let waiting = try factory.expectRecorder(
            "lull_queue_waiting", [("loop", "test"), ("queue", "jobs")])
        // Each period begins with the second job after the last one's end; then the run ends.
        #expect(waiting.values == [1, 1, 1, 1, 1, 0, 0])
        withExtendedLifetime(metrics) {}
    }

    @Test func `the time asleep is told in seconds`() throws {
        let counted = CountedFactory(factory)
        let metrics = LoopMetrics(of: loop, factory: counted)
        loop.schedule(after: .milliseconds(1500)) { time.charge(.milliseconds(500)) }
        loop.schedule(after: .milliseconds(2250)) { loop.stop() }
        try loop.run()
        metrics.report()
        #expect(counted.asleep.sum == 1.75)
    }

    @Test func `turns and runs are timed if that is asked for`() throws {
        let untimed = metrics()
        #expect(factory.timers.isEmpty)
        untimed.cancel()
        let metrics = metrics(timesWork: true)
        let queue = queue("jobs")
        for key in 1...3 {
            queue.submit(key) { _ in
                time.charge(.milliseconds(key))
                return .done
            }
        }
        loop.schedule(after: .milliseconds(10)) {
            time.charge(.milliseconds(2))
            loop.stop()
        }
        try loop.run()
        let runs = try factory.expectTimer(
            "lull_queue_run", [("loop", "test"), ("queue", "jobs")])
        #expect(runs.values == [1_000_000, 2_000_000, 3_000_000])
        let turns = try factory.expectTimer("lull_loop_turn", [("loop", "test")])
        #expect(turns.values == [1_000_000, 2_000_000, 3_000_000, 2_000_000])
        metrics.cancel()
        queue.submit(4) { _ in .done }
        loop.schedule(after: .milliseconds(1)) { loop.stop() }
        try loop.run()
        #expect(runs.values.count == 3)
    }
}
#endif
