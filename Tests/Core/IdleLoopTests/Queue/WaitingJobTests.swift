import IdleLoop
import Testing

/// Jobs that wait for something other than a lull, until they are resumed.
struct WaitingJobTests {
    /// Submits a job that waits until `isThere` holds.
    private func submit(
        _ key: String, to bench: QueueBench, _ priority: Priority = .normal,
        until isThere: @escaping () -> Bool
    ) {
        bench.submit(key, priority) { isThere() ? .done : .waiting }
    }

    @Test func `one that waits isn't run until it is resumed, and the loop sleeps`() throws {
        let bench = try QueueBench()
        var isThere = false
        submit("a", to: bench) { isThere }
        bench.loop.schedule(after: .seconds(3600)) {
            #expect(bench.runs == ["a"] && bench.queue.count == 1)
            #expect(bench.loop.statistics.sleeps == 1)
            isThere = true
            #expect(bench.queue.resume("a"))
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a runs", "a done"])
        #expect(!bench.queue.resume("a"))
    }

    @Test func `others run meanwhile, and it goes on by its priority`() throws {
        let bench = try QueueBench()
        var isThere = false
        submit("a", to: bench, .low) { isThere }
        bench.submit("b") { .done }
        bench.loop.schedule(after: .milliseconds(1)) {
            isThere = true
            bench.submit("c", .lowest)
            bench.submit("d", .high)
            bench.queue.resume("a")
        }
        bench.loop.schedule(after: .microseconds(500)) {
            #expect(bench.queue.reprioritize("a", priority: .normal))
        }
        try bench.run()
        #expect(bench.runs == ["b", "a", "d", "a", "c"])
    }

    @Test func `a call inside its own run isn't lost, nor kept for a later wait`() throws {
        let bench = try QueueBench()
        var run = 0
        bench.submit("a") {
            run += 1
            switch run {
            case 1:
                bench.queue.resume("a")
                bench.queue.resume("a")
                return .waiting
            case 2:
                bench.queue.resume("a")
                return .again
            default: return .waiting
            }
        }
        try bench.run()
        #expect(run == 3 && bench.queue.statistics.waiting == 1)
        bench.queue.cancel("a")
        #expect(bench.ends == ["a cancelled"])
    }

    @Test func `a call for one that doesn't wait, or a second one, does nothing`() throws {
        let bench = try QueueBench()
        var left = 2
        bench.submit("a") {
            left -= 1
            return left == 0 ? .done : .waiting
        }
        #expect(bench.queue.resume("a"))
        bench.loop.schedule(after: .milliseconds(1)) {
            #expect(left == 1)
            for _ in 0..<3 { #expect(bench.queue.resume("a")) }
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a runs", "a done"])
    }

    @Test(arguments: ["cancel", "close", "drop", "in its run"])
    func `one that waits ends as any other`(_ way: String) throws {
        let bench = try QueueBench { $0.limit = 1 }
        bench.submit("a") {
            if way == "in its run" { bench.queue.cancel("a") }
            return .waiting
        }
        bench.loop.schedule(after: .milliseconds(1)) {
            switch way {
            case "cancel": bench.queue.cancel("a")
            case "close": bench.queue.close()
            case "drop": bench.submit("b", .highest)
            default: break
            }
        }
        try bench.run()
        #expect(bench.ends.first == (way == "drop" ? "a dropped" : "a cancelled"))
        #expect(bench.queue.statistics.waiting == 0)
    }

    @Test func `a request joins one that waits`() throws {
        let bench = try QueueBench()
        var isThere = false
        submit("a", to: bench) { isThere }
        bench.loop.schedule(after: .milliseconds(1)) {
            #expect(bench.submit("a", .high) == .joined)
            isThere = true
            #expect(bench.runs == ["a"])
            bench.queue.resume("a")
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a runs", "a done", "a done"])
    }
}
