import IdleLoop
import Testing

/// Tasks that go to and fro between a loop's thread and the global pool.
struct HoppingTests {
    /// What the tasks count, on the loop.
    private actor Counts {
        private nonisolated let executor: LoopExecutor
        private var visits = [Int](repeating: 0, count: 8)

        init(on executor: LoopExecutor) {
            self.executor = executor
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            unsafe executor.asUnownedSerialExecutor()
        }

        func add(_ task: Int) -> Int {
            visits[task] += 1
            return visits[task]
        }

        var clock: TaskClock? { executor.loop()?.taskClock }

        func stop() -> [Int] {
            executor.loop()?.stop()
            return visits
        }
    }

    @Test
    func `eight tasks hop a thousand times each, sleep and are cancelled, and no hop is lost`()
        async throws
    {
        let executor = LoopExecutor()
        startLoop(serving: executor)
        let counts = Counts(on: executor)
        let clock = try #require(await counts.clock)
        let cut = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    var cut = 0
                    for round in 1...1000 {
                        guard await counts.add(number) == round else { return -1 }
                        switch round % 50 {
                        case 10: try await clock.sleep(for: .microseconds(100))
                        case 20: await Task.yield()
                        case 30:
                            let sleep = Task { try await clock.sleep(for: .seconds(3600)) }
                            if round % 100 == 30 { _ = await counts.clock }
                            sleep.cancel()
                            do {
                                try await sleep.value
                            } catch is CancellationError {
                                cut += 1
                            }
                        default: break
                        }
                    }
                    return cut
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(cut == Array(repeating: 20, count: 8))
        #expect(await counts.stop() == Array(repeating: 1000, count: 8))
    }
}
