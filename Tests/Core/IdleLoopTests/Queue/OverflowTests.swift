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

    // MARK: - By count

    @Test func `the oldest is dropped where that's the policy, whatever its priority`() throws {
        let bench = try bench(.dropOldest)
        bench.submit("a", .highest)
        bench.submit("b", .lowest)
        bench.submit("c", .normal)
        #expect(bench.submit("d", .lowest) == .queued)
        #expect(bench.submit("e", .highest) == .queued)
        #expect(bench.log == ["a dropped", "b dropped"])
        try bench.run()
        #expect(bench.runs == ["e", "c", "d"])
        #expect(bench.queue.statistics.dropped == 2)
    }

    @Test func `the newest is dropped where that's the policy, whatever its priority`() throws {
        let bench = try bench(.dropNewest)
        for key in ["a", "b", "c"] { #expect(bench.submit(key, .lowest) == .queued) }
        #expect(bench.submit("d", .highest) == .dropped)
        #expect(bench.log == ["d dropped"])
        #expect(bench.submit("b", .highest) == .joined)
        try bench.run()
        #expect(bench.runs == ["b", "a", "c"])
        #expect(bench.queue.statistics.accepted == 4)
        #expect(bench.queue.statistics.dropped == 1)
    }

    @Test func `a queue that rejects calls nobody, and counts it`() throws {
        let bench = try bench(.reject)
        for key in ["a", "b", "c"] { bench.submit(key) }
        #expect(bench.submit("d", .highest) == .rejected)
        #expect(bench.submit("d", .highest) == .rejected)
        #expect(bench.submit("a", .highest) == .joined)
        #expect(bench.log.isEmpty)
        #expect(!bench.queue.contains("d"))
        #expect(bench.queue.statistics.rejected == 2)
        #expect(bench.queue.statistics.accepted == 3)
        #expect(bench.queue.statistics.dropped == 0)
        try bench.run()
        #expect(bench.submit("d") == .queued)
        try bench.run()
        #expect(bench.runs == ["a", "b", "c", "d"])
    }

    @Test func `the least urgent is dropped, be it the one that was just handed in`() throws {
        let bench = try bench(.dropLeastUrgent)
        bench.submit("a", .normal)
        bench.submit("b", .higher)
        bench.submit("c", .normal)
        #expect(bench.submit("d", .low) == .dropped)
        #expect(bench.submit("e", .normal) == .queued)
        #expect(bench.submit("f", .highest) == .queued)
        #expect(bench.log == ["d dropped", "a dropped", "c dropped"])
        bench.queue.reprioritize("b", priority: .lowest)
        #expect(bench.submit("g", .normal) == .queued)
        #expect(bench.ends.last == "b dropped")
        try bench.run()
        #expect(bench.runs == ["f", "e", "g"])
    }

    @Test(arguments: seeds(0..<100))
    func `a visible job is never dropped while a lesser is there`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (loop, _) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.limit = Int.random(in: 1...10, using: &random)
        configuration.costLimit = Bool.random(using: &random) ? .milliseconds(12) : nil
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        defer { queue.close() }
        var there: [Int: Priority] = [:]
        var dropped: [Priority] = []
        for key in 0..<200 {
            let priority = Priority.allCases.randomElement(using: &random) ?? .normal
            let cost = Duration.milliseconds(Int.random(in: 0...5, using: &random))
            there[key] = priority
            queue.submit(
                key, priority: priority, cost: cost,
                onEnd: { end in
                    guard case .dropped = end else { return }
                    there[key] = nil
                    dropped.append(priority)
                }
            ) { _ in .done }
            queue.checkInvariants()
            // Whatever went was no more than anything that stayed.
            if let most = dropped.max(), let least = there.values.min() { #expect(most <= least) }
            dropped = []
        }
        #expect(queue.count == there.count)
    }

    @Test(arguments: [Overflow.dropLeastUrgent, .dropOldest, .dropNewest, .reject])
    func `in a flood each callback is called once, with the reason`(overflow: Overflow) throws {
        var random = SplitMix64(seed: 5)
        let bench = try bench(overflow, limit: 7)
        var taken = 0
        for key in 0..<500 {
            let priority = Priority.allCases.randomElement(using: &random) ?? .normal
            if bench.submit("\(key)", priority) != .rejected { taken += 1 }
        }
        #expect(bench.queue.count == 7)
        try bench.run()
        let keys = bench.ends.map { $0.split(separator: " ")[0] }
        #expect(Set(keys).count == keys.count)
        #expect(keys.count == taken)
        let statistics = bench.queue.statistics
        #expect(bench.ends.count { $0.hasSuffix(" dropped") } == statistics.dropped)
        #expect(statistics.done == 7)
        #expect(statistics.accepted == taken)
        #expect(statistics.rejected == 500 - taken)
        #expect(taken == (overflow == .reject ? 7 : 500))
    }

    @Test(arguments: [Overflow.dropLeastUrgent, .dropOldest, .dropNewest, .reject])
    func `a closed queue drops what comes, and says why`(overflow: Overflow) throws {
        let bench = try bench(overflow)
        bench.submit("early")
        bench.queue.close()
        #expect(bench.submit("late", .highest) == .dropped)
        #expect(bench.submit("late", .highest) == .dropped)
        #expect(bench.log == ["early cancelled", "late came late", "late came late"])
        #expect(bench.queue.statistics.dropped == 2)
        try bench.run()
        #expect(bench.runs.isEmpty)
    }

    @Test func `a job that is on a worker is dropped like any other, and does not start`() throws {
        let bench = try bench(.dropLeastUrgent, limit: 2)
        let pool = try WorkerPool(width: 1, on: bench.loop)
        for key in ["a", "b"] {
            bench.queue.submit(
                key, priority: .normal, on: pool, cost: .milliseconds(5),
                onEnd: { bench.note("\(key) \($0.word)") }, work: { key }
            ) { output in
                { _ in
                    bench.note("\(output) runs")
                    return .done
                }
            }
        }
        bench.submit("c", .highest)
        bench.submit("d", .highest)
        #expect(bench.log == ["a dropped", "b dropped"])
        try bench.run()
        #expect(bench.runs == ["c", "d"])
        #expect(bench.time.now == .zero)
    }

    // MARK: - By cost

    @Test func `several are dropped for one that costs as much`() throws {
        let bench = try bench(.dropLeastUrgent, limit: 10, costLimit: .milliseconds(10))
        bench.submit("a", .normal, cost: .milliseconds(3))
        bench.submit("b", .lowest, cost: .milliseconds(3))
        bench.submit("c", .normal, cost: .milliseconds(3))
        bench.submit("free", .lowest)
        #expect(bench.queue.cost == .milliseconds(9))
        #expect(bench.submit("d", .highest, cost: .milliseconds(7)) == .queued)
        // What costs nothing goes too, where it's the next of the least.
        #expect(bench.log == ["b dropped", "free dropped", "a dropped"])
        #expect(bench.queue.cost == .milliseconds(10))
        #expect(bench.submit("e", .highest, cost: .nanoseconds(1)) == .queued)
        #expect(bench.ends.last == "c dropped")
        try bench.run()
        #expect(bench.queue.cost == .zero)
    }

    @Test func `the bound of work is reached, and not passed`() throws {
        let bench = try bench(.reject, limit: 10, costLimit: .milliseconds(10))
        #expect(bench.submit("a", cost: .milliseconds(10)) == .queued)
        #expect(bench.submit("b", cost: .nanoseconds(1)) == .rejected)
        #expect(bench.submit("c", cost: .zero) == .queued)
        #expect(bench.submit("d") == .queued)
        try bench.run()
    }

    @Test(arguments: [Overflow.dropLeastUrgent, .dropOldest, .dropNewest])
    func `a job bigger than the queue is dropped, and nobody for it`(overflow: Overflow) throws {
        let bench = try bench(overflow, limit: 10, costLimit: .milliseconds(10))
        bench.submit("a", .normal, cost: .milliseconds(3))
        bench.submit("b", .lowest, cost: .milliseconds(3))
        #expect(!bench.queue.hasRoom(for: .highest, cost: .milliseconds(11)))
        #expect(bench.submit("big", .highest, cost: .milliseconds(11)) == .dropped)
        #expect(bench.log == ["big dropped"])
        try bench.run()
        #expect(bench.runs == ["a", "b"])
    }

    @Test func `a join that raises the cost makes room like a new job`() throws {
        let bench = try bench(.dropLeastUrgent, limit: 10, costLimit: .milliseconds(10))
        bench.submit("a", .normal, cost: .milliseconds(4))
        bench.submit("b", .highest, cost: .milliseconds(4))
        #expect(bench.submit("b", .highest, cost: .milliseconds(6)) == .joined)
        #expect(bench.queue.cost == .milliseconds(10))
        #expect(bench.log.isEmpty)
        #expect(bench.submit("b", .highest, cost: .milliseconds(7)) == .joined)
        #expect(bench.log == ["a dropped"])
        #expect(bench.submit("b", .highest, cost: .milliseconds(1)) == .joined)
        #expect(bench.queue.cost == .milliseconds(1))
        #expect(bench.submit("b", .highest) == .joined)
        #expect(bench.queue.cost == .milliseconds(1))
        try bench.run()
        // All who asked are told.
        #expect(bench.ends == ["a dropped"] + Array(repeating: "b done", count: 5))
    }

    @Test func `a join that is lowered may be what is dropped`() throws {
        let bench = try bench(.dropLeastUrgent, limit: 10, costLimit: .milliseconds(10))
        bench.submit("a", .normal, cost: .milliseconds(5))
        bench.submit("b", .highest, cost: .milliseconds(5))
        #expect(bench.submit("b", .lowest, cost: .milliseconds(6)) == .joined)
        #expect(bench.log == ["b dropped", "b dropped"])
        #expect(bench.queue.statistics.dropped == 1)
        try bench.run()
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

    // MARK: - While a job runs

    @Test(arguments: [Overflow.dropLeastUrgent, .dropOldest, .dropNewest, .reject])
    func `a job is not dropped inside its own slice`(overflow: Overflow) throws {
        let bench = try bench(overflow, limit: 2)
        var slices = 0
        bench.submit("sliced", .lowest) {
            slices += 1
            guard slices == 1 else { return .done }
            for key in 0..<20 {
                bench.submit("\(key)", .highest)
                #expect(bench.queue.contains("sliced"))
                #expect(!bench.log.contains("sliced dropped"))
            }
            return .again
        }
        try bench.run()
        #expect(bench.ends.count { $0.hasPrefix("sliced ") } == 1)
        #expect(bench.queue.isEmpty)
    }

    @Test func `a lesser job that has begun gives way after its slice`() throws {
        let bench = try bench(.dropLeastUrgent, limit: 1)
        bench.submit("begun", .normal) {
            bench.submit("other", .highest)
            return .again
        }
        try bench.run()
        #expect(bench.log == ["begun runs", "begun dropped", "other runs", "other done"])
    }

    @Test(arguments: seeds(0..<50))
    func `a queue that rejects keeps what it has taken`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bench = try bench(.reject, limit: Int.random(in: 1...4, using: &random))
        var number = 0
        func add(slices: Int) {
            number += 1
            var left = slices
            bench.submit("\(number)") {
                if number < 60 { add(slices: .random(in: 1...3, using: &random)) }
                left -= 1
                return left > 0 ? .again : .done
            }
        }
        for _ in 0..<6 { add(slices: .random(in: 1...3, using: &random)) }
        try bench.run()
        let statistics = bench.queue.statistics
        #expect(statistics.dropped == 0)
        #expect(statistics.accepted == statistics.done)
    }

    @Test func `a job that asks for itself again is told, though a full queue rejects it`() throws {
        let bench = try bench(.reject, limit: 1)
        bench.submit("self") {
            guard bench.runs.count == 1 else { return .done }
            #expect(bench.submit("other", .highest) == .rejected)
            #expect(bench.submit("self") == .follows)
            return .done
        }
        bench.afterEnd["self"] = {
            // Its place has been taken before anybody was told.
            #expect(bench.submit("other") == .rejected)
        }
        try bench.run()
        #expect(bench.log == ["self runs", "self done", "self runs", "self done"])
        let counts = bench.queue.statistics
        #expect((counts.accepted, counts.joined, counts.rejected) == (2, 0, 2))
    }

    // MARK: - From inside callbacks

    @Test func `who is dropped may hand itself in again, to be dropped again`() throws {
        let bench = try bench(.dropOldest, limit: 2)
        var again = 0
        bench.afterEnd["a"] = {
            again += 1
            if again < 10 { bench.submit("a") }
        }
        bench.afterEnd["b"] = { bench.submit("b") }
        bench.submit("a")
        bench.submit("b")
        bench.submit("c")
        // a makes room for c, b for a, c for b.
        #expect(bench.log == ["a dropped", "b dropped", "c dropped"])
        bench.afterEnd = [:]
        try bench.run()
        #expect(bench.runs == ["a", "b"])
        #expect(bench.queue.statistics.accepted == 5)
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
