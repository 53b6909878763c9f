import Foundation
import IdleLoop
import Testing

/// Tasks that prefer a loop's lanes; on virtual time there are none.
struct LaneExecutorTests {
    @Test func `tasks run in lulls, piece by piece, the most urgent first`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let log = SharedLog()
        for (name, priority) in [("low", TaskPriority.low), ("a", .medium), ("high", .high)] {
            Task(executorPreference: loop.lanes, priority: priority) {
                log.add("\(name) 1")
                await Task.yield()
                log.add("\(name) 2")
            }
        }
        loop.inbox.post { _ in log.add("post") }
        try loop.run()
        #expect(log.lines == ["post", "high 1", "a 1", "low 1", "high 2", "a 2", "low 2"])
        #expect(loop.queueStatistics["tasks"]?.done ?? 0 >= 6)
    }

    @Test func `a task that waits resumes in a lull, also from the loop's own actors`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let resident = Resident(on: loop.executor)
        let (clock, log) = (loop.taskClock, SharedLog())
        nonisolated(unsafe) let same = loop  // the task runs on its thread
        @Sendable func note(_ line: String) {
            log.add(line)
            #expect(unsafe same.queueStatistics["tasks"]?.running == 1)
        }
        Task(executorPreference: loop.lanes) {
            try await clock.sleep(for: .seconds(1))
            note("\(clock.now.nanoseconds)")
            await resident.visit(1)
            async let child = resident.visits.count
            note("\(await child)")
        }
        try loop.run()
        #expect(log.lines == ["1000000000", "1"])
        #expect(time.now == .milliseconds(1000))
        #expect(loop.queueStatistics["tasks"]?.isConserved == true)
    }

    @Test func `an inbox that is full still takes tasks`() throws {
        let loop = try MainLoop(clock: .virtual(VirtualTime()), inboxCapacity: 1)
        defer { loop.close() }
        let log = SharedLog()
        loop.inbox.post { _ in }
        for number in 1...3 { Task(executorPreference: loop.lanes) { log.add("\(number)") } }
        try loop.run()
        #expect(log.lines == ["1", "2", "3"])
    }

    @Test func `a loop that nobody else keeps is released, with tasks or without`() throws {
        weak var gone: MainLoop?
        do {
            let (loop, _) = try virtualLoop()
            Task(executorPreference: loop.lanes) {}
            try loop.run()
            gone = loop
        }
        #expect(gone == nil)
    }

    // MARK: - Without a loop

    @Test func `tasks go on elsewhere when the loop is closed, wherever their pieces are`()
        async throws
    {
        let (stream, gate) = AsyncStream.makeStream(of: Void.self)
        let (waiting, queued, posted, lanes) = try closeLoop {
            for await _ in stream { break }
            return 1
        }
        let late = Task(executorPreference: lanes) { 4 }
        gate.yield()
        #expect(await waiting.value == 1)
        #expect(await queued.value == 2)
        #expect(await posted.value == 3)
        #expect(await late.value == 4)
    }

    /// Closes a loop with a task that waits, one whose piece is in the queue, and one in the inbox.
    private func closeLoop(_ wait: @escaping @Sendable () async -> Int) throws -> (
        waiting: Task<Int, Never>, queued: Task<Int, Never>, posted: Task<Int, Never>, LaneExecutor
    ) {
        let (loop, _) = try virtualLoop()
        let lanes = loop.lanes
        let waiting = Task(executorPreference: lanes, operation: wait)
        try loop.run()
        let queued = Task(executorPreference: lanes) { 2 }
        loop.schedule(after: .zero) { loop.stop() }
        try loop.run()
        #expect(loop.queueStatistics["tasks"]?.waiting == 1)
        let posted = Task(executorPreference: lanes) { 3 }
        loop.close()
        return (waiting, queued, posted, lanes)
    }

    @Test func `tasks go on elsewhere when the loop's queues are shut down`() async throws {
        #expect(await (try shutDownLoop()).value == 1)
    }

    private func shutDownLoop() throws -> Task<Int, Never> {
        let (loop, _) = try virtualLoop()
        Task(executorPreference: loop.lanes) {}
        try loop.run()
        loop.shutDown(within: .zero)
        let task = Task(executorPreference: loop.lanes) { 1 }
        try loop.run()
        loop.close()
        return task
    }

    // MARK: - Threads

    @Test func `each piece of a task runs once, also when its loop is closed meanwhile`()
        async throws
    {
        let log = SharedLog()
        for round in 0..<20 {
            let (loops, gate) = AsyncStream.makeStream(of: MainLoop.Remote.self)
            startLoop(serving: LoopExecutor()) { loop in
                gate.yield(MainLoop.Remote(lanes: loop.lanes, inbox: loop.inbox))
            }
            guard let loop = await loops.first(where: { _ in true }) else { continue }
            await withTaskGroup { group in
                for number in 0..<50 {
                    group.addTask(executorPreference: loop.lanes) {
                        log.add("")
                        await Task.yield()
                        if number == round { loop.inbox.post { $0.stop() } }
                        log.add("")
                    }
                }
            }
        }
        #expect(log.lines.count == 20 * 50 * 2)
    }
}

extension MainLoop {
    /// What other threads may use of a loop.
    fileprivate struct Remote: Sendable {
        let lanes: LaneExecutor
        let inbox: Inbox
    }
}
