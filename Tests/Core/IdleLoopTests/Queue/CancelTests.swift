import IdleLoop
import Testing

/// Taking jobs back.
struct CancelTests {
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
