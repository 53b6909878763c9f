import Glibc
import IdleLoop
import TestSupport
import Testing

/// `for await` over what comes to a loop.
struct LoopEventsTests {
    @Test func `a descriptor's readiness is told each time that it's asked for`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        let log = Log()
        for moment in [2, 5, 9] { time.at(.milliseconds(moment)) { pipe.put() } }
        loop.schedule(at: .milliseconds(20)) { loop.stop() }
        let task = loop.task {
            for await readiness in try loop.readiness(of: pipe.reading) {
                #expect(readiness == .readable)
                log.add("\(pipe.drain()) at \(time.now.nanoseconds / 1_000_000)")
            }
            log.add("end")
        }
        for tick in 1...10 { loop.schedule(at: .milliseconds(tick)) {} }
        try loop.run()
        #expect(log.lines == ["1 at 2", "1 at 5", "1 at 9"])
        task.cancel()
        try loop.run(until: .milliseconds(30))
        #expect(log.lines.last == "end")
    }

    @Test func `a descriptor that stays ready while the task is busy costs nothing`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        pipe.put()
        let log = Log()
        let task = loop.task {
            for await _ in try loop.readiness(of: pipe.reading) {
                try await loop.taskClock.sleep(for: .milliseconds(10))  // reads nothing
                log.add("\(time.now.nanoseconds / 1_000_000)")
            }
        }
        for tick in 1...300 { loop.schedule(at: .microseconds(tick * 100)) {} }
        loop.schedule(at: .milliseconds(35)) { task.cancel() }
        try loop.run()
        #expect(log.lines == ["10", "20", "30"])
        #expect(
            loop.statistics.dispatched < 30, "once or twice for each time that it was asked for")
    }

    @Test func `a clock's ticks that nobody waited for are one`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        let task = loop.task {
            for await moment in loop.ticks(every: .milliseconds(10)) {
                log.add("\(moment.nanoseconds / 1_000_000)")
                if moment == .milliseconds(20) {
                    try await loop.taskClock.sleep(for: .milliseconds(35))
                    log.add("awake at \(time.now.nanoseconds / 1_000_000)")
                }
            }
        }
        loop.schedule(at: .milliseconds(75)) { task.cancel() }
        try loop.run()
        #expect(log.lines == ["10", "20", "awake at 55", "50", "60", "70"])
        #expect(time.now == .milliseconds(75), "its timer is gone")
    }

    @Test func `each signal is counted once, also while the task is busy`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var sent = 0
        var seen = 0
        var counts: [Int] = []
        let signals = try loop.signals(SIGUSR2)
        try loop.watch(signal: SIGUSR2) { seen += 1 }
        func send() async {
            kill(getpid(), SIGUSR2)
            sent += 1
            while seen < sent { _ = await loop.idle() }  // the kernel keeps no more than one
        }
        loop.task {
            await send()
            for await count in signals {
                counts.append(count)
                if counts.count == 2 { return loop.stop() }
                for _ in 1...3 { await send() }
            }
        }
        try loop.run()
        #expect(counts == [1, 3])
    }

    @Test func `what isn't iterated is off the loop once it's let go of`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        pipe.put()
        do {
            _ = loop.ticks(every: .seconds(1))
            _ = try loop.readiness(of: pipe.reading)
        }
        try loop.run()
        #expect(time.now == .zero)
        #expect(loop.statistics.dispatched == 0)
    }

    @Test func `it throws as a watch does`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        #expect(throws: LoopError.badDescriptor(-1)) { _ = try loop.readiness(of: -1) }
        #expect(throws: LoopError.badSignal(SIGKILL)) { _ = try loop.signals(SIGKILL) }
    }

    @Test func `closing the loop ends them, for the next loop to tell`() throws {
        let executor = LoopExecutor()
        let log = Log()
        let (first, _) = try virtualLoop()
        try first.serve(executor)
        first.task {
            for await _ in first.ticks(every: .seconds(1)) { log.add("tick") }
            log.add("end")
        }
        try first.run(until: .milliseconds(1500))
        first.close()
        let (second, _) = try virtualLoop()
        defer { second.close() }
        try second.serve(executor)
        try second.run()
        #expect(log.lines == ["tick", "end"])
    }

    @Test func `a second task that asks while one waits is told that nothing comes`() throws {
        let log = Log()
        let (loop, _) = try virtualLoop()
        let ticks = loop.ticks(every: .seconds(1))
        for number in 1...2 {
            loop.task {
                for await _ in ticks { log.add("\(number) tick") }
                log.add("\(number) end")
            }
        }
        try loop.run(until: .milliseconds(1500))
        #expect(log.lines == ["2 end", "1 tick"])
        loop.close()
    }
}
