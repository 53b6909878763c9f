import TestSupport
import Testing

@testable import IdleLoop

/// Tasks that wait for lulls.
struct IdleTaskTests {
    @Test func `each that waits gets a lull of its own, in the order in which they came`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        for name in ["a", "b", "c"] {
            loop.task {
                for round in 1...2 {
                    let slot = await loop.idle()
                    #expect(!slot.isOver)
                    log.add("\(name)\(round)")
                    time.charge(.milliseconds(1))
                }
            }
        }
        let pipe = NonblockingPipe()
        time.at(.microseconds(1500)) { pipe.put() }
        try loop.watch(pipe.reading, for: .readable) { _ in
            log.add("event")
            pipe.drain()
        }
        try loop.run()
        #expect(log.lines == ["a1", "b1", "event", "c1", "a2", "b2", "c2"])
    }

    @Test func `a cancelled wait leaves nothing on a loop that is never idle`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let task = loop.task { _ = await loop.idle() }
        var passes = 0
        func pass() {
            passes += 1
            if passes == 10 {
                #expect(!loop.turn.workers.all.isEmpty)
                task.cancel()
            }
            guard passes == 20 else { return _ = loop.schedule(at: loop.clock.now, pass) }
            #expect(loop.turn.workers.all.isEmpty)
            loop.stop()
        }
        pass()
        try loop.run()
    }

    @Test func `a slot ends with its slice, and when a timer is due, and another lull follows`()
        throws
    {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        loop.task {
            var slot = await loop.idle()
            for step in 1...6 {
                if slot.isOver {
                    slot = await loop.idle()
                    log.add("lull")
                }
                log.add("\(step)")
                time.charge(.milliseconds(1))
            }
        }
        loop.schedule(at: .microseconds(500)) { log.add("timer") }
        try loop.run()
        #expect(
            log.lines == ["1", "timer", "lull", "2", "3", "lull", "4", "5", "lull", "6"])
    }

    @Test func `a slot is over when its task has waited for anything else`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        loop.task {
            let slot = await loop.idle()
            log.add("\(slot.isOver)")
            await Task.yield()
            log.add("\(slot.isOver)")
        }
        try loop.run()
        #expect(log.lines == ["false", "true"])
    }

    @Test func `many that wait and are cancelled while the loop is busy leave nothing behind`()
        throws
    {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        pipe.put()
        var left = 200
        var ended = 0
        var tasks: [Task<Void, any Error>] = []
        try loop.watch(pipe.reading, for: .readable) { _ in
            for task in tasks { task.cancel() }
            tasks = (0..<50).map { _ in
                loop.task {
                    _ = await loop.idle()
                    ended += 1
                }
            }
            left -= 1
            if left == 0 { pipe.drain() }
        }
        try loop.run()
        #expect(ended == 200 * 50)
        // Nobody waits any more: the loop does nothing before it sleeps.
        let before = loop.statistics
        try loop.run()
        #expect(loop.statistics.polls - before.polls <= 2)
    }

    @Test func `the loop doesn't sleep over a task that goes on because of an observer`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let task = loop.task {
            try? await loop.taskClock.sleep(for: .seconds(60))
            loop.stop()
        }
        loop.schedule(after: .milliseconds(1)) {
            loop.observe(.beforeIdle, repeats: false) { _ in task.cancel() }
        }
        try loop.run()
    }

    @Test(arguments: HostKind.allCases)
    func `on a host's loop, tasks get its lulls`(kind: HostKind) throws {
        let host = HostBase(kind)
        let loop = try host.adopt()
        let log = Log()
        let guardian = loop.schedule(after: .seconds(60)) {}  // keeps the host going
        loop.task {
            for round in 1...3 {
                _ = await loop.idle()
                log.add("\(round)")
            }
            guardian.cancel()
        }
        _ = host.run()
        #expect(log.lines == ["1", "2", "3"])
        loop.close()
    }

    /// On the machine's clock, where what takes the way by the global pool is seen too late by a loop
    /// that doesn't wait for it.
    @Test func `tasks of a closed loop go on there and nowhere else`() throws {
        for _ in 0..<50 {
            let executor = LoopExecutor()
            let log = Log()
            let first = try MainLoop()
            try first.serve(executor)
            first.task {
                first.close()
                #expect(executor.isIsolatingCurrentContext() == true)
                _ = await first.idle()
                log.add("went on")
            }
            try first.run()
            #expect(executor.isIsolatingCurrentContext() == false)
            #expect(log.lines == [], "a closed loop runs nothing")

            let (second, _) = try virtualLoop()
            try second.serve(executor)
            try second.run()
            second.close()
            #expect(log.lines == ["went on"], "the next loop does, and needn't wait")
        }
    }
}

/// What happened, in its order.
final class Log {
    private(set) var lines: [String] = []

    func add(_ line: String) {
        lines.append(line)
    }
}
