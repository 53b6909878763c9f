import IdleLoop
import TestSupport
import Testing

/// Jobs that are tasks, on virtual time.
struct AsyncJobTests {
    // MARK: - Slices

    @Test func `a checkpoint ends a slice that is over, and no other`() throws {
        let bench = try QueueBench()
        bench.submit("index") { slot in
            for page in 1...4 {
                bench.note("page \(page) at \(bench.milliseconds)")
                bench.time.charge(.milliseconds(1))
                try await slot.checkpoint()
            }
        }
        bench.loop.schedule(at: .microseconds(2500)) {
            bench.note("timer at \(bench.milliseconds)")
        }
        try bench.run()
        #expect(
            bench.log == [
                "page 1 at 0", "page 2 at 1", "page 3 at 2", "timer at 3", "page 4 at 3",
                "index done",
            ])
        #expect(bench.queue.statistics.slices == 3)
    }

    @Test func `at a checkpoint the most urgent job goes on`() throws {
        let bench = try QueueBench()
        bench.submit("index") { slot in
            for page in 1...3 {
                bench.note("page \(page)")
                bench.time.charge(.milliseconds(2))
                try await slot.checkpoint()
            }
        }
        bench.loop.schedule(at: .milliseconds(1)) { bench.submit("urgent", .highest) }
        try bench.run()
        #expect(
            bench.log == ["page 1", "urgent runs", "urgent done", "page 2", "page 3", "index done"])
    }

    @Test func `the loop polls as often as for a job in slices`() throws {
        func polls(_ submit: (QueueBench) -> Void) throws -> Int {
            let bench = try QueueBench()
            submit(bench)
            try bench.run()
            return bench.loop.statistics.polls
        }
        let slices = try polls { bench in
            var left = 100
            bench.queue.submit("a") { slot in
                bench.time.charge(.milliseconds(2))
                left -= 1
                return left == 0 ? .done : .again
            }
        }
        let task = try polls { bench in
            bench.submit("a") { slot in
                for page in 1...100 {
                    bench.time.charge(.milliseconds(2))
                    if page < 100 { try await slot.checkpoint() }
                }
            }
        }
        #expect(task == slices)
    }

    @Test func `a slot is over once its task has waited for something else`() throws {
        let bench = try QueueBench()
        bench.submit("a") { slot in
            #expect(!slot.isOver && slot.timeRemaining > .zero)
            await Task.yield()
            #expect(!slot.isOver, "it waits for a lull again, and has a new one")
            try await bench.loop.taskClock.sleep(for: .milliseconds(1))
            #expect(!slot.isOver)
            bench.time.charge(.milliseconds(2))
            #expect(slot.isOver && slot.sliceEnd == slot.now)
        }
        try bench.run()
        #expect(bench.ends == ["a done"])
    }

    @Test func `a kind's cost is learned from each slice`() throws {
        let bench = try QueueBench()
        bench.submit("a", kind: "page") { slot in
            for _ in 1...3 {
                bench.time.charge(.milliseconds(3))
                try await slot.checkpoint()
            }
        }
        try bench.run()
        let cost = try #require(bench.queue.expectedCost(of: "page"))
        #expect((.milliseconds(3) ... .milliseconds(4)).contains(cost))
    }

    @Test func `past its timeout it runs without a lull, and is told`() throws {
        let bench = try QueueBench()
        let pipe = NonblockingPipe()
        pipe.put()
        try bench.loop.watch(pipe.reading, for: .readable) { _ in
            bench.time.charge(.milliseconds(1))
        }
        bench.submit("a", timeout: .milliseconds(5)) { slot in
            bench.note("runs at \(bench.milliseconds), \(slot.didTimeout)")
            pipe.drain()
        }
        try bench.run()
        #expect(bench.ends == ["runs at 5, true", "a done"])
        bench.loop.close()
    }

    // MARK: - Waiting for something else

    @Test func `while it waits for something else others run, and then it waits for a lull`() throws
    {
        let bench = try QueueBench()
        let clock = bench.loop.taskClock
        bench.submit("a", priority: .highest) { slot in
            bench.note("a sleeps at \(bench.milliseconds)")
            try await clock.sleep(for: .milliseconds(2))
            bench.note("a wakes at \(bench.milliseconds)")
        }
        for key in ["b", "c"] { bench.submit(key, slices: 2) }
        try bench.run()
        #expect(
            bench.log == [
                "a sleeps at 0", "b runs", "a wakes at 2", "a done", "b runs", "b done", "c runs",
                "c runs", "c done",
            ])
    }

    @Test func `it keeps its place in the count while it waits`() throws {
        let bench = try QueueBench { $0.limit = 2 }
        bench.submit("a") { _ in try await bench.loop.taskClock.sleep(for: .seconds(1)) }
        bench.loop.schedule(after: .milliseconds(1)) {
            #expect(bench.queue.count == 1 && bench.queue.contains("a"))
            #expect(bench.queue.statistics.waiting == 1)
            bench.submit("b", .highest)
            bench.submit("c", .highest)
        }
        try bench.run()
        #expect(bench.ends == ["a dropped", "b done", "c done"])
    }

    @Test func `no slice of it runs while the loop is busy`() throws {
        let bench = try QueueBench()
        let pipe = NonblockingPipe()
        var busy = 5
        try bench.loop.watch(pipe.reading, for: .readable) { _ in
            bench.note("busy")
            bench.time.charge(.milliseconds(1))
            busy -= 1
            if busy == 0 { pipe.drain() }
        }
        bench.submit("a") { _ in
            pipe.put()
            try await bench.loop.taskClock.sleep(for: .milliseconds(2))
            bench.note("a goes on")
        }
        try bench.run()
        #expect(bench.log == Array(repeating: "busy", count: 5) + ["a goes on", "a done"])
        bench.loop.close()
    }

    @Test(arguments: HostKind.allCases)
    func `one that waits for the loop's lull goes on in one of its queue's, and ends`(
        kind: HostKind
    ) throws {
        let host = HostBase(kind)
        let loop = try host.adopt()
        let queue = IdleQueue<String>(on: loop)
        var log: [String] = []
        queue.submit("a", onEnd: { log.append($0.word) }) { (slot: TaskSlot) in
            let idle = await loop.idle()
            log.append("\(idle.isOver) \(slot.isOver)")
            try await idle.checkpoint()
            log.append("\(idle.isOver) \(slot.isOver)")
        }
        #expect(host.run() == 1)
        #expect(log == ["true false", "true false", "done"])
        loop.close()
    }

    @Test func `of two tasks one waits for a slot's next lull, and the other goes on`() throws {
        let bench = try QueueBench()
        bench.submit("a") { slot in
            for number in 1...2 {
                bench.loop.task {
                    try await slot.checkpoint()
                    bench.note("\(number) \(slot.isOver)")
                }
            }
            try await bench.loop.taskClock.sleep(for: .milliseconds(1))
        }
        try bench.run()
        #expect(bench.log.contains("2 true"))
        #expect(bench.ends.last == "a done")
        bench.loop.close()
    }

    @Test func `a whole job that waits elsewhere stays whole when a request joins it`() throws {
        let bench = try QueueBench()
        let frames = bench.loop.frames(
            every: .milliseconds(4), tolerance: .zero
        ) { _ in if bench.time.now >= .milliseconds(20) { bench.loop.stop() } }
        defer { frames.cancel() }
        bench.queue.submit("page", cost: .milliseconds(1)) { (slot: TaskSlot) in
            try await bench.loop.taskClock.sleep(for: .milliseconds(1))
            bench.note("\(bench.time.now.nanoseconds / 1000) µs")
            bench.time.charge(.milliseconds(3))
        }
        // It waits for its sleep, and is said to cost more than is left of the frame.
        bench.loop.schedule(at: .microseconds(500)) {
            #expect(
                bench.queue.submit("page", cost: .milliseconds(3) + .microseconds(500)) { _ in .done
                }
                .submission == .joined)
        }
        try bench.run()
        #expect(bench.log == ["4000 µs"])
        bench.loop.close()
    }

    // MARK: - Ends

    @Test func `a throw is the job's failure`() throws {
        struct Trouble: Error {}
        let bench = try QueueBench()
        var end: JobEnd?
        bench.queue.submit("a", onEnd: { end = $0 }) { (slot: TaskSlot) in
            bench.time.charge(.milliseconds(3))
            try await slot.checkpoint()
            throw Trouble()
        }
        try bench.run()
        guard case .failed(let error)? = end else {
            Issue.record("it failed")
            return
        }
        #expect(error is Trouble)
    }

    @Test(arguments: ["cancel", "close", "drop", "cancelAll"])
    func `one that's taken back at a checkpoint ends at once, and its task finds out`(
        _ way: String
    ) throws {
        let bench = try QueueBench { $0.limit = 1 }
        bench.submit("a") { slot in
            defer { bench.note("cleaned up") }
            while true {
                bench.time.charge(.milliseconds(2))
                try await slot.checkpoint()
            }
        }
        bench.loop.schedule(at: .milliseconds(5)) {
            switch way {
            case "cancel": bench.queue.cancel("a")
            case "close": bench.queue.close()
            case "drop": bench.submit("b", .highest) { .done }
            default: bench.queue.cancelAll()
            }
            bench.note("taken back")
        }
        try bench.run()
        let end = way == "drop" ? "a dropped" : "a cancelled"
        #expect(bench.ends.filter { $0 != "b done" } == [end, "taken back", "cleaned up"])
    }

    @Test func `one that's taken back while it sleeps ends at once, and leaves no timer`() throws {
        let bench = try QueueBench()
        bench.submit("a") { slot in
            do {
                try await bench.loop.taskClock.sleep(for: .seconds(3600))
            } catch {
                bench.note("\(error is CancellationError) at \(bench.milliseconds)")
                throw error
            }
        }
        bench.loop.schedule(at: .milliseconds(5)) { bench.queue.cancel("a") }
        try bench.run()
        #expect(bench.log == ["a cancelled", "true at 5"])
        #expect(bench.milliseconds == 5)
    }

    @Test(arguments: [false, true])
    func `one that sleeps at its queue's deadline is given back, and its task cancelled`(
        byLoop: Bool
    ) throws {
        let bench = try QueueBench()
        let clock = bench.loop.taskClock
        for (key, seconds) in [("a", 1), ("b", 3600)] {
            bench.submit(key) { _ in
                defer { bench.note("\(key) is over at \(bench.milliseconds)") }
                try await clock.sleep(for: .seconds(seconds))
            }
        }
        bench.loop.schedule(after: .milliseconds(1)) {
            let time = Duration.seconds(2)
            if byLoop {
                bench.loop.shutDown(within: time) { reports in
                    for report in reports { bench.note("\(report.finished) \(report.returned)") }
                }
            } else {
                bench.queue.shutDown(within: time) { bench.note("\($0.finished) \($0.returned)") }
            }
        }
        try bench.run()
        #expect(
            bench.log == [
                "a is over at 1000", "a done", "b cancelled", #"["a"] ["b"]"#, "b is over at 2001",
            ])
        #expect(bench.milliseconds == 2001)
    }

    @Test func `one that's taken back before it began never begins`() throws {
        let bench = try QueueBench()
        bench.submit("a") { _ in bench.note("begun") }
        bench.queue.cancel("a")
        try bench.run()
        #expect(bench.log == ["a cancelled"])
    }

    @Test func `one that takes itself back ends when it next waits`() throws {
        let bench = try QueueBench()
        bench.submit("a") { slot in
            bench.queue.cancel("a")
            bench.time.charge(.milliseconds(3))
            bench.note("runs on")
            do {
                try await slot.checkpoint()
                bench.note("never")
            } catch {
                bench.note("to here")
            }
        }
        try bench.run()
        #expect(bench.log == ["runs on", "a cancelled", "to here"])
    }

    @Test func `a request for a key that has a job joins it`() throws {
        let bench = try QueueBench()
        bench.submit("a") { slot in
            bench.time.charge(.milliseconds(2))
            try await slot.checkpoint()
            bench.note("first")
        }
        bench.loop.schedule(at: .milliseconds(1)) {
            bench.submit("a") { _ in bench.note("second") }
        }
        try bench.run()
        #expect(bench.log == ["first", "a done", "a done"])
    }

    @Test func `what it's asked for again while it sleeps joins it too`() throws {
        let bench = try QueueBench()
        bench.submit("a") { _ in
            try await bench.loop.taskClock.sleep(for: .milliseconds(4))
            bench.note("woke")
        }
        bench.loop.schedule(at: .milliseconds(1)) {
            bench.submit("a", priority: .highest) { _ in bench.note("second") }
            #expect(bench.queue.priority(of: "a") == .highest)
        }
        try bench.run()
        #expect(bench.log == ["woke", "a done", "a done"])
    }

    @Test(arguments: HostKind.allCases)
    func `a host's dispatch doesn't end while a job of its waits for something else`(
        kind: HostKind
    ) throws {
        let host = HostBase(kind)
        let loop = try host.adopt()
        let queue = IdleQueue<String>(on: loop)
        var log: [String] = []
        queue.submit("a", onEnd: { log.append("\($0)") }) { (slot: TaskSlot) in
            try await loop.taskClock.sleep(for: .milliseconds(3))
            log.append("woke")
            try await slot.checkpoint()
            log.append("went on")
        }
        _ = host.run()
        #expect(log == ["woke", "went on", "done"])
        loop.close()
    }
}

extension QueueBench {
    /// Hands in a job that is a task.
    func submit(
        _ key: String, priority: Priority = .normal, kind: JobKind? = nil, timeout: Duration? = nil,
        _ body: @escaping (TaskSlot) async throws -> Void
    ) {
        queue.submit(
            key, priority: priority, kind: kind, timeout: timeout,
            onEnd: { self.note("\(key) \($0.word)") }, body)
        queue.checkInvariants()
    }

    /// Whole milliseconds since the beginning.
    var milliseconds: Int { Int(time.now.nanoseconds / 1_000_000) }
}
