import IdleLoop
import TestSupport
import Testing

/// What happens to one job more than there is room for.
struct OverflowTests {
    @Test func `a new job is sure of its place before callbacks fill the queue`() throws {
        let bench = try QueueBench { $0.limit = 2 }
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

    // MARK: - hasRoom

    /// Returns a queue of one to eight jobs.
    private func queue(on loop: MainLoop, _ random: inout SplitMix64) -> IdleQueue<Int> {
        var configuration = QueueConfiguration()
        configuration.limit = Int.random(in: 1...8, using: &random)
        return IdleQueue(on: loop, configuration: configuration)
    }

    @Test func `hasRoom foretells what a submission does`() throws {
        for seed in seeds(0..<240) {
            var random = SplitMix64(seed: seed)
            let (loop, _) = try virtualLoop()
            let queue = queue(on: loop, &random)
            defer { queue.close() }
            for key in 0..<120 {
                let priority = Priority.allCases.randomElement(using: &random) ?? .normal
                let hasRoom = queue.hasRoom(for: priority)
                let before = Set((0..<key).filter(queue.contains))
                let priorities = before.map { ($0, queue.priority(of: $0)) }
                let job = queue.submit(key, priority: priority) { _ in .done }
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

    @Test func `hasRoom foretells it also for a job that comes back`() throws {
        var hadRoom = [false: 0, true: 0]
        for seed in seeds(0..<800) {
            var random = SplitMix64(seed: seed)
            let (loop, _) = try virtualLoop()
            let queue = queue(on: loop, &random)
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
                _ key: Int, _ priority: Priority, _ body: @escaping () -> JobProgress
            ) -> Submission {
                queue.submit(
                    key, priority: priority,
                    onEnd: { if case .dropped = $0 { dropped.append((key, priority)) } }
                ) { _ in body() }.submission
            }
            let priority = Priority.allCases.randomElement(using: &random) ?? .normal
            _ = submit(0, priority) {
                check()
                let key = queue.statistics.accepted
                guard key < 30 else { return .done }
                let priority = Priority.allCases.randomElement(using: &random) ?? .normal
                let hasRoom = queue.hasRoom(for: priority)
                let submission = submit(key, priority) { .done }
                last = (key, priority, hasRoom, submission)
                return .again
            }
            try loop.run()
            check()
        }
        #expect(hadRoom.values.allSatisfy { $0 > 10 }, "\(hadRoom)")
    }
}
