import Foundation
import IdleLoop
import Testing

/// Actors that live on a loop.
struct LoopExecutorTests {
    @Test func `whoever calls, an actor on a loop runs on its thread`() async {
        let executor = LoopExecutor()
        let resident = Resident(on: executor)
        startLoop(serving: executor)
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask { for _ in 0..<50 { await resident.visit(number) } }
            }
        }
        #expect(await resident.visits.count == 400)
        #expect(await !resident.isEverElsewhere)
        #expect(executor.isIsolatingCurrentContext() == false)
        #expect(executor.loop() == nil)
        await resident.stopLoop()
    }

    @Test func `a loop's callbacks are isolated to its actors`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let resident = Resident(on: loop.executor)
        var visits: [Int] = []
        loop.schedule(after: .zero) {
            resident.preconditionIsolated()
            resident.assumeIsolated { $0.visit(1) }
            visits = resident.assumeIsolated { $0.visits }
        }
        try loop.run()
        #expect(visits == [1])
        #expect(loop.executor.isIsolatingCurrentContext() == true)
        #expect(loop.executor.loop() === loop)
    }

    @Test func `nothing else is`() async {
        await #expect(processExitsWith: .failure) {
            Resident(on: LoopExecutor()).preconditionIsolated()
        }
        await #expect(processExitsWith: .failure) {
            let executor = LoopExecutor()
            let resident = Resident(on: executor)
            startLoop(serving: executor)
            await resident.visit(1)
            resident.visitAssuming(2)
        }
    }

    // MARK: - Which loop serves it

    @Test func `what it's asked before a loop serves it waits, in order`() throws {
        let executor = LoopExecutor()
        let log = SharedLog()
        for number in 1...4 {
            Task(executorPreference: executor) { log.add("\(number)") }
        }
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        loop.schedule(after: .milliseconds(1)) { log.add("later") }
        try loop.serve(executor)
        #expect(log.lines.isEmpty)
        try loop.run()
        #expect(log.lines == ["1", "2", "3", "4", "later"])
    }

    @Test func `when its loop is closed, what is left waits for the next`() throws {
        let executor = LoopExecutor()
        let log = SharedLog()
        let (first, _) = try virtualLoop()
        try first.serve(executor)
        Task(executorPreference: executor) { log.add("1") }
        try first.run()
        Task(executorPreference: executor) { log.add("2") }
        first.close()
        Task(executorPreference: executor) { log.add("3") }
        #expect(executor.loop() == nil)
        let (second, _) = try virtualLoop()
        defer { second.close() }
        #expect(log.lines == ["1"])
        try second.serve(executor)
        try second.run()
        #expect(log.lines == ["1", "2", "3"])
    }

    @Test func `nothing is lost while loops come and go`() throws {
        let executor = LoopExecutor()
        let log = SharedLog()
        let threads = 4
        let finished = SharedLog()
        for _ in 0..<threads {
            Thread.detachNewThread {
                for _ in 0..<2000 { Task(executorPreference: executor) { log.add("") } }
                finished.add("")
            }
        }
        var areFinished = false
        repeat {
            areFinished = finished.lines.count == threads
            let (loop, _) = try virtualLoop()
            try loop.serve(executor)
            try loop.run()
            loop.close()
        } while !areFinished
        #expect(log.lines.count == threads * 2000)
    }

    @Test func `a loop serves one executor, which lives on one loop`() throws {
        let (first, second) = (try virtualLoop().loop, try virtualLoop().loop)
        let executor = LoopExecutor()
        try first.serve(executor)
        try first.serve(executor)
        #expect(throws: LoopError.alreadyServed) { try first.serve(LoopExecutor()) }
        #expect(throws: LoopError.alreadyServed) { try second.serve(executor) }
        first.close()
        #expect(throws: LoopError.closed) { try first.serve(executor) }
        try second.serve(executor)
        #expect(second.executor === executor)
        let (third, _) = try virtualLoop()
        let own = third.executor
        #expect(throws: LoopError.alreadyServed) { try third.serve(executor) }
        #expect(third.executor === own)
    }

    // MARK: - By way of the inbox

    @Test func `an inbox that is full still takes tasks`() throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time), inboxCapacity: 2)
        defer { loop.close() }
        let log = SharedLog()
        let executor = loop.executor
        #expect(loop.inbox.post { _ in log.add("post") })
        #expect(loop.inbox.post { _ in log.add("post") })
        for _ in 0..<3 { Task(executorPreference: executor) { log.add("task") } }
        #expect(!loop.inbox.post { _ in log.add("refused") })
        try loop.run()
        #expect(log.lines == ["post", "post", "task", "task", "task"])
    }

    @Test func `a thread's posts and calls keep their order`() async throws {
        let executor = LoopExecutor()
        let resident = Resident(on: executor)
        startLoop(serving: executor)
        let inbox = try #require(await resident.inbox)
        let log = SharedLog()
        for number in 1...100 {
            inbox.post { _ in log.add("post \(number)") }
            await resident.note("call \(number)", in: log)
        }
        #expect(log.lines == (1...100).flatMap { ["post \($0)", "call \($0)"] })
        await resident.stopLoop()
    }

    @Test func `a sleep of a task elsewhere ends with an error when the loop is closed`() async {
        let executor = LoopExecutor()
        let clocks = AsyncStream.makeStream(of: TaskClock.self)
        startLoop(serving: executor) { loop in
            clocks.continuation.yield(loop.taskClock)
            // Nothing comes but what arms the sleep.
            loop.observe(.beforeIdle) { _ in
                if loop.statistics.dispatched > 0 { loop.stop() }
            }
        }
        for await clock in clocks.stream {
            await #expect(throws: LoopError.closed) { try await clock.sleep(for: .seconds(3600)) }
            await #expect(throws: LoopError.closed) { try await clock.sleep(for: .zero) }
            break
        }
    }
}
