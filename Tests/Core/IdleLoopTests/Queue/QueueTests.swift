import IdleLoop
import Testing

struct QueueTests {
    struct Trouble: Error {}

    /// A queue on virtual time with a log of how its jobs ended.
    final class Bench {
        let loop: MainLoop
        let time: VirtualTime
        let queue: IdleQueue<String>
        var log: [String] = []

        init(limit: Int = 30) throws {
            (loop, time) = try virtualLoop()
            var configuration = QueueConfiguration()
            configuration.limit = limit
            configuration.batch = .zero
            queue = IdleQueue(on: loop, configuration: configuration)
        }

        func submit(
            _ key: String, _ priority: Priority = .normal, rank: Int = 0, slices: Int = 1
        ) {
            var left = slices
            queue.submit(key, priority: priority, rank: rank, onEnd: { self.ended(key, $0) }) { _ in
                left -= 1
                self.log.append("\(key) runs")
                return left == 0 ? .done : .again
            }
            queue.checkInvariants()
        }

        func ended(_ key: String, _ end: JobEnd) {
            switch end {
            case .done: log.append("\(key) done")
            case .skipped: log.append("\(key) skipped")
            case .failed: log.append("\(key) failed")
            case .cancelled: log.append("\(key) cancelled")
            case .dropped: log.append("\(key) dropped")
            }
        }

        func run() throws {
            try loop.run()
            queue.checkInvariants()
        }
    }

    @Test func `a queue may be let go of when its last job's end is told`() throws {
        let (loop, _) = try virtualLoop()
        var queue: IdleQueue<Int>? = IdleQueue(on: loop)
        queue?.submit(1, onEnd: { _ in queue = nil }) { _ in .done }
        try loop.run()
        #expect(queue == nil)
        #expect(loop.statistics.jobs.done == 1)
    }

    @Test func `the most urgent runs first, then the smaller rank, then the older`() throws {
        let bench = try Bench()
        bench.submit("near 2", .normal, rank: 2)
        bench.submit("near 1", .normal, rank: 1)
        bench.submit("near 1 again", .normal, rank: 1)
        bench.submit("visible", .highest)
        bench.submit("speculative", .lowest)
        try bench.run()
        let order = bench.log.filter { $0.hasSuffix("runs") }
        #expect(
            order == [
                "visible runs", "near 1 runs", "near 1 again runs", "near 2 runs",
                "speculative runs",
            ])
    }

    @Test func `a full queue drops the least urgent, the oldest of those first`() throws {
        let bench = try Bench(limit: 3)
        bench.submit("a", .normal)
        bench.submit("b", .normal)
        bench.submit("c", .highest)
        bench.submit("d", .higher)
        bench.submit("e", .highest)
        bench.submit("f", .lowest)
        #expect(bench.log == ["a dropped", "b dropped", "f dropped"])
        #expect(bench.queue.statistics.dropped == 3)
        #expect(bench.queue.count == 3)
        try bench.run()
        #expect(bench.queue.statistics.done == 3)
    }

    @Test func `in an overflow every accepted key is accounted for`() throws {
        let bench = try Bench(limit: 30)
        for index in 0..<1000 {
            bench.submit("\(index)", Priority.allCases[index * 7 % 6], rank: index * 13 % 11)
        }
        try bench.run()
        var ends: [String: Int] = [:]
        for line in bench.log where !line.hasSuffix("runs") {
            ends[String(line.split(separator: " ")[0]), default: 0] += 1
        }
        #expect(ends.count == 1000)
        #expect(ends.values.allSatisfy { $0 == 1 })
        let statistics = bench.queue.statistics
        #expect(statistics.accepted == 1000)
        #expect(statistics.done == 30)
        #expect(statistics.dropped == 970)
        #expect(statistics.longest == 30)
    }

    @Test func `asking again joins, takes the new priority, and tells both`() throws {
        let bench = try Bench()
        bench.submit("a", .normal)
        bench.submit("b", .high)
        #expect(
            bench.queue.submit("a", priority: .highest, onEnd: { _ in bench.log.append("told") }) {
                _ in .done
            }.submission == .joined)
        #expect(bench.queue.priority(of: "a") == .highest)
        try bench.run()
        #expect(bench.log == ["a runs", "a done", "told", "b runs", "b done"])
        #expect(bench.queue.statistics.accepted == 2)
        #expect(bench.queue.statistics.joined == 1)
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

    @Test func `a job that has begun is raised and lowered like others`() throws {
        let bench = try QueueBench()
        bench.submit("begun", .lowest, slices: 3)
        bench.loop.schedule(at: .milliseconds(1)) {
            bench.submit("a", .high, slices: 2)
            bench.submit("b", .high)
        }
        bench.loop.schedule(at: .milliseconds(3)) {
            bench.queue.reprioritize("begun", priority: .higher)
        }
        bench.loop.schedule(at: .milliseconds(5)) {
            bench.queue.reprioritize("begun", priority: .normal)
        }
        try bench.run()
        #expect(bench.runs == ["begun", "a", "begun", "a", "b", "begun"])
    }

    @Test func `a job that is put back is cancelled or dropped like others, and ends once`() throws
    {
        let bench = try QueueBench { $0.limit = 2 }
        for key in ["cancelled", "dropped"] {
            bench.submit(key, key == "dropped" ? .low : .normal, slices: 9)
        }
        bench.loop.schedule(at: .milliseconds(1)) {
            bench.queue.cancel("cancelled")
            bench.submit("a", .normal)
        }
        bench.loop.schedule(at: .milliseconds(5)) {
            bench.submit("b", .normal)
            bench.submit("c", .normal)
        }
        try bench.run()
        #expect(
            bench.ends == ["cancelled cancelled", "a done", "dropped dropped", "b done", "c done"])
    }

    @Test func `a slice ends after 2 ms, or when a timer is due`() throws {
        let bench = try Bench()
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
        let bench = try Bench()
        bench.queue.submit("bad", onEnd: { bench.ended("bad", $0) }) { _ in throw Trouble() }
        bench.queue.submit("stale", onEnd: { bench.ended("stale", $0) }) { _ in .skipped }
        bench.submit("good")
        try bench.run()
        #expect(bench.log == ["bad failed", "stale skipped", "good runs", "good done"])
        // The stale one and the good one ran in one lull.
        #expect(bench.loop.statistics.idlePasses == 3)
    }

    @Test func `a job may submit into a full queue without dropping itself`() throws {
        let bench = try Bench(limit: 1)
        bench.queue.submit("first", onEnd: { bench.ended("first", $0) }) { _ in
            bench.submit("second")
            return .done
        }
        try bench.run()
        #expect(bench.log == ["first done", "second runs", "second done"])
    }

    @Test func `a job may clear its queue from inside`() throws {
        let bench = try Bench()
        bench.queue.submit("clearing", onEnd: { bench.ended("clearing", $0) }) { _ in
            bench.queue.cancelAll()
            return .again
        }
        bench.submit("other")
        try bench.run()
        #expect(bench.log == ["other cancelled", "clearing cancelled"])
        #expect(bench.queue.isEmpty)
    }

    @Test func `a job that asks for itself again joins itself while it has slices`() throws {
        let bench = try Bench()
        var slices = 0
        bench.queue.submit("self", priority: .normal, onEnd: { bench.ended("self", $0) }) { _ in
            slices += 1
            if slices == 1 {
                bench.submit("self", .highest)
                return .again
            }
            if slices == 2 { bench.submit("self", .highest) }
            return .done
        }
        try bench.run()
        // Joined after the first slice; a run of its own after the last.
        #expect(bench.log == ["self done", "self done", "self runs", "self done"])
        #expect(bench.queue.statistics.accepted == 2)
        #expect(bench.queue.statistics.joined == 1)
    }

    @Test func `a callback may hand in what has just been taken back`() throws {
        let bench = try Bench()
        for key in ["a", "b", "c"] {
            bench.queue.submit(key, onEnd: { _ in if key == "b" { bench.submit("b again") } }) {
                _ in .done
            }
        }
        bench.queue.cancelAll()
        #expect(bench.queue.count == 1)
        bench.queue.checkInvariants()
        bench.queue.close()
    }

    @Test func `a closed queue takes back what waits and drops what comes`() throws {
        let bench = try Bench()
        bench.submit("waiting")
        bench.queue.close()
        bench.queue.close()
        bench.submit("late")
        #expect(bench.log == ["waiting cancelled", "late dropped"])
        #expect(!bench.queue.hasRoom(for: .highest))
        try bench.run()
        #expect(bench.queue.statistics.isConserved)
    }

    @Test func `a queue that is let go ends its jobs`() throws {
        let (loop, _) = try virtualLoop()
        var ends = 0
        var queue: IdleQueue<Int>? = IdleQueue(on: loop)
        queue?.submit(1, onEnd: { _ in ends += 1 }) { _ in .done }
        queue = nil
        #expect(ends == 1)
        try loop.run()
    }

    @Test func `lulls pass and nothing runs once the queue is empty`() throws {
        let bench = try Bench()
        bench.submit("only")
        bench.loop.schedule(at: .milliseconds(100), every: .milliseconds(100)) {}
        try bench.loop.run(until: .milliseconds(1000))
        #expect(bench.queue.statistics.slices == 1)
        // One turn with the job, one for each beat, with its sleep.
        #expect(bench.loop.statistics.turns == 1 + 10 + 1)
    }
}
