import IdleLoop
import TestSupport
import Testing

/// Requests for the key of the job that is in its own call.
struct FollowTests {
    @Test func `a request of a job for its own key is a job of its own if the run was the last`()
        throws
    {
        let bench = try QueueBench()
        bench.submit("a") {
            #expect(bench.submit("a") { .done } == .follows)
            return .done
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a done", "a runs", "a done"])
        let counts = bench.queue.statistics
        #expect((counts.accepted, counts.joined, counts.done) == (2, 0, 2))
    }

    @Test func `it joins if there are more slices`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            guard bench.runs.count == 1 else { return .done }
            #expect(bench.submit("a", .highest) { throw QueueTests.Trouble() } == .follows)
            return .again
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a runs", "a done", "a done"])
        let counts = bench.queue.statistics
        #expect((counts.accepted, counts.joined, counts.done) == (1, 1, 1))
    }

    @Test func `a second request joins the first, and each is counted once`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            #expect(bench.submit("a") { .done } == .follows)
            #expect(bench.submit("a") { .skipped } == .joined)
            return .done
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a done", "a runs", "a done", "a done"])
        let counts = bench.queue.statistics
        #expect((counts.accepted, counts.joined, counts.done) == (2, 1, 2))
    }

    @Test func `one that is taken back before the run is over was taken in and cancelled`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            bench.submit("a")
            #expect(bench.queue.cancel("a"))
            #expect(bench.log == ["a runs", "a cancelled"])
            return .done
        }
        try bench.run()
        #expect(bench.ends == ["a cancelled", "a done"])
        let counts = bench.queue.statistics
        #expect((counts.accepted, counts.cancelled, counts.done) == (2, 1, 1))
    }

    @Test func `who is told of the job's end joins what follows it`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            guard bench.runs.count == 1 else { return .done }
            bench.submit("a")
            return .done
        }
        bench.afterEnd["a"] = {
            #expect(bench.queue.contains("a"))
            #expect(bench.submit("a") == .joined)
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a done", "a runs", "a done", "a done"])
        #expect(bench.queue.isEmpty)
    }

    @Test func `what follows a job of a queue that shuts down is taken back`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            bench.submit("a")
            bench.queue.shutDown(within: .seconds(1))
            return .done
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a cancelled", "a done"])
        #expect(bench.queue.statistics.isConserved)
    }

    @Test(arguments: [false, true])
    func `a queue may be closed or let go of by who is told that the job is done`(
        isLetGo: Bool
    ) throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        var log: [String] = []
        var queue: IdleQueue<String>? = IdleQueue(on: loop)
        queue?.submit(
            "a",
            onEnd: { end in
                log.append("a \(end.word)")
                if !isLetGo { queue?.close() }
                queue = nil
            }
        ) { _ in
            queue?.submit("a", onEnd: { log.append("then \($0.word)") }) { _ in .done }
            return .done
        }
        try loop.run()
        #expect(log == ["a done", "then cancelled"])
        let jobs = loop.statistics.jobs
        #expect((jobs.accepted, jobs.done, jobs.cancelled) == (2, 1, 1))
    }

    @Test func `who is told by a queue that goes may shut down the loop's queues`() throws {
        let live = LiveObjects()
        let (loop, _) = try virtualLoop()
        var names: [String] = []
        var queue: IdleQueue<CountedKey>? = IdleQueue(on: loop)
        queue?.submit(
            CountedKey(1, live),
            onEnd: { _ in
                loop.shutDown(within: .seconds(1)) { names = $0.map(\.queue) }
            }
        ) { _ in .done }
        queue = nil
        #expect(names == ["idle queue"])
        #expect(live.count == 0)
        loop.close()
    }

    @Test func `a predicate may take back what is to be taken back, and hand in more`() throws {
        let bench = try QueueBench()
        for key in ["a", "b", "c"] { bench.submit(key) }
        let count = bench.queue.cancel { key in
            if key == "a" {
                bench.queue.cancel("b")
                bench.queue.cancel("a")
                bench.submit("d")
            }
            return key != "d"
        }
        #expect(count == 1)
        #expect(bench.log == ["b cancelled", "a cancelled", "c cancelled"])
        try bench.run()
        #expect(bench.runs == ["d"])
    }
}
