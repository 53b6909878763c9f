import IdleLoop
import TestSupport
import Testing

/// What happens to one job more than there is room for.
struct OverflowTests {
    private func bench(
        _ overflow: Overflow, limit: Int = 3, costLimit: Duration? = nil
    ) throws -> QueueBench {
        try QueueBench {
            $0.overflow = overflow
            $0.limit = limit
            $0.costLimit = costLimit
        }
    }

    @Test func `work that came back costs the queue nothing any more`() throws {
        let bench = try bench(.reject, limit: 10, costLimit: .milliseconds(10))
        let pool = try WorkerPool(width: 1, on: bench.loop)
        bench.queue.submit("a", on: pool, cost: .milliseconds(10), work: { 1 }) { _ in
            #expect(bench.queue.cost == .milliseconds(10))
            return { _ in
                #expect(bench.submit("b", cost: .milliseconds(10)) == .queued)
                return .done
            }
        }
        #expect(bench.submit("b", cost: .milliseconds(1)) == .rejected)
        try bench.run()
        #expect(bench.runs == ["b"])
    }

    @Test func `a new job is sure of its place before callbacks fill the queue`() throws {
        let bench = try bench(.dropLeastUrgent, limit: 2)
        bench.submit("a", .normal)
        bench.submit("b", .normal)
        bench.afterEnd["a"] = { bench.submit("x", .low) }
        #expect(bench.submit("c", .normal) == .queued)
        #expect(bench.log == ["a dropped", "x dropped"])
        bench.afterEnd["b"] = {
            bench.submit("y", .highest)
            bench.submit("z", .highest)
        }
        #expect(bench.submit("d", .normal) == .dropped)
        #expect(
            bench.log == [
                "a dropped", "x dropped", "b dropped", "c dropped", "d dropped",
            ])
        try bench.run()
        #expect(bench.runs == ["y", "z"])
    }

    @Test func `all that must go have gone before the first is told`() throws {
        let bench = try bench(.dropOldest, limit: 10, costLimit: .milliseconds(10))
        for key in ["a", "b", "c"] { bench.submit(key, cost: .milliseconds(3)) }
        bench.afterEnd["a"] = {
            #expect(!bench.queue.contains("b"))
            #expect(bench.queue.contains("c"))
            #expect(bench.queue.statistics.isConserved)
            bench.queue.cancelAll()
        }
        bench.submit("d", cost: .milliseconds(5))
        #expect(bench.log == ["a dropped", "c cancelled", "d cancelled", "b dropped"])
        try bench.run()
    }

    // MARK: - hasRoom

    /// Returns a queue of one to eight jobs, every other one with a limit of work.
    private func queue(
        on loop: MainLoop, _ overflow: Overflow, _ random: inout SplitMix64
    ) -> IdleQueue<Int> {
        var configuration = QueueConfiguration()
        configuration.limit = Int.random(in: 1...8, using: &random)
        configuration.costLimit = Bool.random(using: &random) ? .milliseconds(12) : nil
        configuration.overflow = overflow
        return IdleQueue(on: loop, configuration: configuration)
    }

    @Test(arguments: [Overflow.dropLeastUrgent, .dropOldest, .dropNewest, .reject])
    func `hasRoom foretells what a submission does`(overflow: Overflow) throws {
        for seed in seeds(0..<60) {
            var random = SplitMix64(seed: seed)
            let (loop, _) = try virtualLoop()
            let queue = queue(on: loop, overflow, &random)
            defer { queue.close() }
            for key in 0..<120 {
                let priority = Priority.allCases.randomElement(using: &random) ?? .normal
                let cost = Duration.milliseconds(Int.random(in: 0...14, using: &random))
                let hasRoom = queue.hasRoom(for: priority, cost: cost)
                let before = Set((0..<key).filter(queue.contains))
                let priorities = before.map { ($0, queue.priority(of: $0)) }
                let job = queue.submit(key, priority: priority, cost: cost) { _ in .done }
                let harmed = priorities.contains {
                    !queue.contains($0.0) && $0.1 ?? .normal >= priority
                }
                let wasTaken = job.submission == .queued && queue.contains(key)
                #expect(hasRoom == (wasTaken && !harmed), "seed \(seed), job \(key)")
                if key % 5 == 0, let waiting = before.randomElement(using: &random) {
                    queue.cancel(waiting)
                }
            }
        }
    }

    @Test(arguments: [Overflow.dropLeastUrgent, .dropOldest, .dropNewest, .reject])
    func `hasRoom foretells it also for a job that comes back`(overflow: Overflow) throws {
        var hadRoom = [false: 0, true: 0]
        for seed in seeds(0..<200) {
            var random = SplitMix64(seed: seed)
            let (loop, _) = try virtualLoop()
            let queue = queue(on: loop, overflow, &random)
            defer { queue.close() }
            var last: (key: Int, priority: Priority, hadRoom: Bool, submission: Submission)?
            var dropped: [(key: Int, priority: Priority)] = []
            func check() {
                guard let submitted = last.take() else { return }
                let wasTaken =
                    submitted.submission == .queued && !dropped.contains { $0.key == submitted.key }
                let harmed = dropped.contains {
                    $0.key != submitted.key && $0.priority >= submitted.priority
                }
                #expect(
                    submitted.hadRoom == (wasTaken && !harmed), "seed \(seed), \(submitted.key)")
                hadRoom[submitted.hadRoom, default: 0] += 1
                dropped = []
            }
            func submit(
                _ key: Int, _ priority: Priority, _ cost: Duration,
                _ body: @escaping () -> JobProgress
            ) -> Submission {
                queue.submit(
                    key, priority: priority, cost: cost,
                    onEnd: { if case .dropped = $0 { dropped.append((key, priority)) } }
                ) { _ in body() }.submission
            }
            let priority = Priority.allCases.randomElement(using: &random) ?? .normal
            _ = submit(0, priority, .milliseconds(Int.random(in: 0...8, using: &random))) {
                check()
                let key = queue.statistics.accepted + queue.statistics.rejected
                guard key < 30 else { return .done }
                let priority = Priority.allCases.randomElement(using: &random) ?? .normal
                let cost = Duration.milliseconds(Int.random(in: 0...8, using: &random))
                let hasRoom = queue.hasRoom(for: priority, cost: cost)
                let submission = submit(key, priority, cost) { .done }
                last = (key, priority, hasRoom, submission)
                return .again
            }
            try loop.run()
            check()
        }
        #expect(hadRoom.values.allSatisfy { $0 > 10 }, "\(hadRoom)")
    }
}
