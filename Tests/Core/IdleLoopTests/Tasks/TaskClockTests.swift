import IdleLoop
import Testing

/// A loop's time as Swift's own clock.
struct TaskClockTests {
    @Test func `tasks that sleep wake in the order of their moments, in no time`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        for hours in [3, 1, 2] {
            loop.task {
                try await loop.taskClock.sleep(for: .seconds(3600 * hours))
                log.add("\(hours) at \(time.now.nanoseconds / 3_600_000_000_000)")
            }
        }
        try loop.run()
        #expect(log.lines == ["1 at 1", "2 at 2", "3 at 3"])
    }

    @Test func `code that knows any clock runs on it`() throws {
        func backOff(_ clock: some Clock<Duration>, _ note: (String) -> Void) async throws {
            let start = clock.now
            for attempt in 0..<4 {
                try await Task.sleep(for: .seconds(1 << attempt), clock: clock)
                note("\(start.duration(to: clock.now))")
            }
        }
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        loop.task { try await backOff(loop.taskClock) { log.add($0) } }
        try loop.run()
        #expect(log.lines == ["1.0 seconds", "3.0 seconds", "7.0 seconds", "15.0 seconds"])
    }

    @Test func `child tasks and continuations stay on a virtual loop`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        let clock = loop.taskClock
        loop.task {
            async let one: Void = clock.sleep(for: .seconds(1))
            async let two: Void = clock.sleep(for: .seconds(2))
            _ = try await (one, two)
            log.add("both at \(time.now.nanoseconds / 1_000_000_000)")
            await withCheckedContinuation { continuation in
                loop.schedule(after: .seconds(3)) { continuation.resume() }
            }
            log.add("resumed at \(time.now.nanoseconds / 1_000_000_000)")
        }
        try loop.run()
        #expect(log.lines == ["both at 2", "resumed at 5"])
    }

    @Test func `a sleep that's cancelled throws at once, and leaves no timer`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        let task = loop.task {
            do {
                try await loop.taskClock.sleep(for: .seconds(60))
            } catch is CancellationError {
                log.add("cancelled at \(time.now.nanoseconds / 1_000_000)")
            }
        }
        loop.schedule(after: .milliseconds(10)) { task.cancel() }
        try loop.run()
        #expect(log.lines == ["cancelled at 10"])
        #expect(time.now == .milliseconds(10))
    }

    @Test func `a moment that has passed is waited for no longer`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let log = Log()
        loop.task {
            try await loop.taskClock.sleep(until: .zero)
            log.add("\(time.now.nanoseconds)")
        }
        time.charge(.seconds(1))
        try loop.run()
        #expect(log.lines == ["1000000000"])
    }

    @Test func `closing the loop ends a sleep with an error`() throws {
        let executor = LoopExecutor()
        let log = Log()
        let (first, _) = try virtualLoop()
        try first.serve(executor)
        let clock = first.taskClock
        first.task {
            do {
                try await clock.sleep(for: .seconds(1))
            } catch {
                log.add("\(error)")
            }
            do {
                try await clock.sleep(for: .seconds(1))
            } catch {
                log.add("\(error)")
            }
        }
        try first.run(until: .milliseconds(10))
        first.close()
        let (second, _) = try virtualLoop()
        defer { second.close() }
        try second.serve(executor)
        try second.run()
        #expect(log.lines == ["the loop was closed", "the loop was closed"])
    }

    @Test func `on the machine's clock it sleeps as long as it says`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let log = Log()
        let clock = loop.taskClock
        loop.task {
            let start = clock.now
            try await clock.sleep(for: .milliseconds(3))
            if start.duration(to: clock.now) >= .milliseconds(3) { log.add("slept") }
            loop.stop()
        }
        try loop.run()
        #expect(log.lines == ["slept"])
        #expect(clock.minimumResolution == .nanoseconds(1))
    }
}
