import IdleLoop
import Testing

/// Taking jobs back.
struct CancelTests {
    @Test func `a job is taken back once`() throws {
        let bench = try QueueBench()
        bench.submit("a")
        bench.submit("b")
        #expect(bench.queue.cancel("a"))
        #expect(!bench.queue.cancel("a"))
        #expect(!bench.queue.cancel("c"))
        try bench.run()
        #expect(bench.log == ["a cancelled", "b runs", "b done"])
        #expect(!bench.queue.cancel("b"))
        #expect(bench.queue.statistics.cancelled == 1)
    }

    @Test func `a job is taken back by what handing it in gave`() throws {
        let bench = try QueueBench()
        bench.submit("a")
        let first = try #require(bench.token)
        #expect(bench.submit("a") == .joined)
        let joined = try #require(bench.token)
        #expect(first.cancel())
        #expect(!first.cancel() && !joined.cancel())
        // Another job of that key, in the same place.
        bench.submit("a")
        let second = try #require(bench.token)
        #expect(!first.cancel() && !joined.cancel())
        try bench.run()
        #expect(!second.cancel())
        #expect(bench.log == ["a cancelled", "a cancelled", "a runs", "a done"])
        bench.queue.close()
        #expect(bench.submit("a") == .dropped)
        #expect(bench.token?.cancel() == false)
    }

    @Test(arguments: [JobProgress.done, .again])
    func `what follows a job that runs is taken back, whatever that one says`(
        of progress: JobProgress
    ) throws {
        let bench = try QueueBench()
        var (first, follows): (IdleJob?, IdleJob?) = (nil, nil)
        bench.submit("a") {
            guard follows == nil else { return .done }
            #expect(bench.submit("a") == .follows)
            follows = bench.token
            bench.loop.stop()
            return progress
        }
        first = bench.token
        try bench.run()
        #expect(first?.cancel() == (progress == .again))
        #expect(follows?.cancel() == (progress == .done))
        #expect(bench.queue.isEmpty)
    }

    @Test func `what handing a job in gave doesn't keep its queue open`() throws {
        let (loop, _) = try virtualLoop()
        var ends: [String] = []
        var queue: IdleQueue? = IdleQueue<String>(on: loop)
        let token = queue?.submit("a", onEnd: { ends.append($0.word) }) { _ in .done }
        queue = nil
        #expect(ends == ["cancelled"])
        #expect(token?.cancel() == false)
    }

    @Test func `all that begin alike are taken back, the oldest first`() throws {
        let bench = try QueueBench()
        for (key, priority) in [
            ("disk/2", Priority.normal), ("disk", .highest), ("net/1", .highest),
            ("disk/1", .highest), ("disk/3", .lowest), ("old disk/1", .normal),
        ] { bench.submit(key, priority) }
        #expect(bench.queue.cancel { $0.hasPrefix("disk/") } == 3)
        #expect(bench.log == ["disk/2 cancelled", "disk/1 cancelled", "disk/3 cancelled"])
        #expect(bench.queue.cancel { $0.hasPrefix("disk/") } == 0)
        #expect(bench.queue.count == 3)
        #expect(bench.queue.cancel { $0.hasPrefix("") } == 3)
        #expect(bench.queue.isEmpty)
    }

    @Test func `all whose key fits are taken back, the oldest first`() throws {
        let bench = try QueueBench()
        for key in [5, 2, 8, 1, 6, 3] { bench.submit("\(key)", rank: key) }
        #expect(bench.queue.cancel { Int($0).map { $0 % 2 == 0 } ?? false } == 3)
        #expect(bench.log == ["2 cancelled", "8 cancelled", "6 cancelled"])
        try bench.run()
        #expect(bench.runs == ["1", "3", "5"])
    }

    @Test func `a predicate that throws takes nothing back`() throws {
        let bench = try QueueBench()
        for key in ["a", "b", "c"] { bench.submit(key) }
        #expect(throws: QueueTests.Trouble.self) {
            try bench.queue.cancel { _ in throw QueueTests.Trouble() }
        }
        #expect(bench.queue.count == 3)
        bench.queue.checkInvariants()
        bench.queue.cancelAll()
        #expect(bench.log == ["a cancelled", "b cancelled", "c cancelled"])
        bench.queue.cancelAll()
        #expect(bench.log.count == 3)
    }

    // MARK: - From inside a job

    @Test func `a job that takes itself back has no further slice`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            #expect(bench.queue.cancel("a"))
            #expect(!bench.queue.cancel("a"))
            return .again
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a cancelled"])
        #expect(bench.queue.statistics.cancelled == 1)
    }

    @Test func `a job that takes itself back and is done is done`() throws {
        let bench = try QueueBench()
        bench.submit("done") {
            bench.queue.cancel("done")
            return .done
        }
        bench.submit("failed") {
            bench.queue.cancel("failed")
            throw QueueTests.Trouble()
        }
        try bench.run()
        #expect(bench.ends == ["done done", "failed failed"])
        #expect(bench.queue.statistics.cancelled == 0)
    }

    @Test func `a job that takes itself back may hand itself in anew`() throws {
        let bench = try QueueBench()
        var runs = 0
        func work() -> JobProgress {
            runs += 1
            guard runs == 1 else { return .done }
            bench.queue.cancel("a")
            #expect(bench.submit("a") { work() } == .follows)
            return .again
        }
        bench.submit("a") { work() }
        try bench.run()
        #expect(bench.log == ["a runs", "a cancelled", "a runs", "a done"])
    }

    @Test func `a job takes others back while it runs`() throws {
        let bench = try QueueBench()
        bench.submit("begun", .highest) {
            guard bench.runs.count == 2 else { return .again }
            #expect(bench.queue.cancel { $0 != "begun" } == 2)
            #expect(bench.queue.count == 0)
            return .done
        }
        bench.submit("a")
        bench.submit("b")
        try bench.run()
        #expect(
            bench.log == ["begun runs", "begun runs", "a cancelled", "b cancelled", "begun done"])
    }

    @Test func `a predicate counts the job that runs`() throws {
        let bench = try QueueBench()
        bench.submit("a", .highest) {
            #expect(bench.queue.cancel { _ in true } == 2)
            return .again
        }
        bench.submit("b")
        try bench.run()
        #expect(bench.ends == ["b cancelled", "a cancelled"])
        #expect(bench.queue.statistics.cancelled == 2)
    }

    @Test func `a queue may be closed or let go from inside a job`() throws {
        let (loop, _) = try virtualLoop()
        var log: [String] = []
        var queue: IdleQueue<Int>? = IdleQueue(on: loop)
        queue?.submit(1, onEnd: { log.append("1 \($0.word)") }) { _ in
            queue?.close()
            queue = nil
            log.append("still runs")
            return .again
        }
        queue?.submit(2, onEnd: { log.append("2 \($0.word)") }) { _ in .done }
        try loop.run()
        #expect(log == ["2 cancelled", "still runs", "1 cancelled"])
        let jobs = loop.statistics.jobs
        #expect(jobs.running == 0 && jobs.cancelled == 2 && jobs.isConserved)
    }

    @Test func `a job that closes its loop is counted to its end`() throws {
        let (loop, _) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        queue.submit(1) { _ in
            loop.close()
            return .again
        }
        try loop.run()
        let jobs = loop.statistics.jobs
        #expect(jobs.running == 0 && jobs.cancelled == 1 && jobs.isConserved)
        #expect(jobs == queue.statistics)
    }

    // MARK: - From inside callbacks

    @Test func `a callback may take back what was to be taken back after it`() throws {
        let bench = try QueueBench()
        for key in ["a", "b", "c", "d"] { bench.submit(key) }
        bench.afterEnd["a"] = {
            #expect(!bench.queue.cancel("b"))
            #expect(bench.queue.isEmpty)
            bench.queue.cancelAll()
        }
        bench.queue.cancelAll()
        #expect(bench.ends == ["a", "b", "c", "d"].map { "\($0) cancelled" })
        #expect(bench.queue.statistics.cancelled == 4)
    }

    @Test func `what callbacks hand in is not taken back`() throws {
        let bench = try QueueBench()
        for key in ["a", "b", "c"] {
            bench.submit(key)
            bench.afterEnd[key] = { bench.submit("\(key) again") }
        }
        #expect(bench.queue.cancel { _ in true } == 3)
        #expect(bench.queue.count == 3)
        try bench.run()
        #expect(bench.runs == ["a again", "b again", "c again"])
    }

    @Test func `a callback of a job that was done may take back the rest`() throws {
        let bench = try QueueBench()
        for key in ["a", "b", "c"] { bench.submit(key) }
        bench.afterEnd["a"] = { bench.queue.cancelAll() }
        try bench.run()
        #expect(bench.log == ["a runs", "a done", "b cancelled", "c cancelled"])
        #expect(bench.queue.statistics.isConserved)
    }

    @Test func `a request that joined the job that runs is taken back with it`() throws {
        let bench = try QueueBench()
        bench.submit("a", .highest) {
            bench.submit("a")
            #expect(bench.queue.cancel("a"))
            return .done
        }
        try bench.run()
        #expect(bench.ends == ["a cancelled", "a done"])
    }

    @Test func `what such a request's callback hands in is not taken back`() throws {
        let bench = try QueueBench()
        bench.submit("a", .highest) {
            guard bench.runs.count == 1 else { return .done }
            bench.submit("a")
            bench.afterEnd["a"] = {
                bench.afterEnd = [:]
                bench.submit("new")
            }
            bench.queue.cancelAll()
            return .done
        }
        bench.submit("b")
        try bench.run()
        #expect(bench.runs == ["a", "new"])
        #expect(bench.ends.contains("b cancelled"))
    }

    @Test func `such a request's callback may take back what was to be taken back`() throws {
        let bench = try QueueBench()
        bench.submit("a", .highest) {
            guard bench.runs.count == 1 else { return .done }
            bench.submit("a")
            bench.afterEnd["a"] = {
                bench.afterEnd = [:]
                bench.queue.cancel("b")
                bench.submit("c")
            }
            bench.queue.cancel { _ in true }
            return .done
        }
        bench.submit("b")
        try bench.run()
        #expect(bench.ends.count { $0 == "b cancelled" } == 1)
        #expect(bench.runs == ["a", "c"])
    }

    private final class Endless: PendingOperation {
        func cancel() {}
    }

    @Test(arguments: HostKind.allCases, [false, true])
    func `observers have an idle pass when a host cancels what waited, as there is room now`(
        kind: HostKind, cancelsAll: Bool
    ) throws {
        let host = HostBase(kind)
        let loop = try host.adopt()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 1, on: loop)
        queue.submit(1, on: pool, start: { _ in Endless() }, then: { (_: Int) in { _ in .done } })
        var passes = 0
        loop.observe(.beforeIdle) { _ in passes += 1 }
        for _ in 0..<5 { host.loop(.nonblockingOnce) }
        let before = passes
        for _ in 0..<5 { host.loop(.nonblockingOnce) }
        #expect(passes == before, "nothing to do, nothing done")
        if cancelsAll { queue.cancelAll() } else { queue.cancel(1) }
        for _ in 0..<5 { host.loop(.nonblockingOnce) }
        #expect(passes == before + 1)
    }
}
