import IdleLoop
import Testing

/// The global actor of a program's main loop, which lives on one loop at a time.
@Suite(.serialized) struct LoopActorTests {
    @LoopActor private static var count = 0

    @Test func `what is isolated to it runs on the loop that serves it`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        try loop.serve(LoopActor.executor)
        let log = SharedLog()
        let executor = LoopActor.executor
        Task(executorPreference: executor) {
            try await { @LoopActor in log.add("\(try LoopActor.loop.clock.now.nanoseconds)") }()
        }
        try loop.run()
        #expect(log.lines == ["0"])
    }

    @Test func `a loop's callback can be assumed to be isolated to it`() throws {
        struct Trouble: Error {}
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        try loop.serve(LoopActor.executor)
        var counts: [Int] = []
        var isSame = false
        loop.schedule(after: .zero) {
            let number = unsafe UInt(bitPattern: Unmanaged.passUnretained(loop).toOpaque())
            isSame = LoopActor.assumeIsolated {
                guard let own = try? LoopActor.loop else { return false }
                return unsafe UInt(bitPattern: Unmanaged.passUnretained(own).toOpaque()) == number
            }
            for _ in 1...2 {
                counts.append(
                    LoopActor.assumeIsolated {
                        LoopActorTests.count += 1
                        return LoopActorTests.count
                    })
            }
            #expect(throws: Trouble.self) { try LoopActor.assumeIsolated { throw Trouble() } }
        }
        try loop.run()
        #expect(isSame)
        #expect(counts == [1, 2])
    }

    @Test func `elsewhere it can't`() async {
        await #expect(processExitsWith: .failure) { LoopActor.assumeIsolated {} }
        await #expect(processExitsWith: .failure) {
            startLoop(serving: LoopActor.executor)
            await Task { @LoopActor in }.value
            LoopActor.assumeIsolated {}
        }
        await #expect(processExitsWith: .success) {
            let (loop, _) = try virtualLoop()
            try loop.serve(LoopActor.executor)
            LoopActor.assumeIsolated {}
        }
    }

    @Test func `it has no loop once that is closed`() throws {
        let (loop, _) = try virtualLoop()
        try loop.serve(LoopActor.executor)
        let log = SharedLog()
        Task(executorPreference: LoopActor.executor) {
            await { @LoopActor in
                (try? LoopActor.loop)?.close()
                do { _ = try LoopActor.loop } catch { log.add("\(error)") }
            }()
        }
        try loop.run()
        #expect(log.lines == ["the loop was closed"])
    }
}
