import Foundation
import IdleLoop
import TestSupport
import Testing

/// What a loop does once it's closed.
struct ClosedLoopTests {
    @Test func `what can throw says that the loop is closed`() throws {
        let (loop, _) = try virtualLoop()
        loop.close()
        loop.close()
        let pipe = NonblockingPipe()
        #expect(throws: LoopError.closed) { try loop.run() }
        #expect(throws: LoopError.closed) { try loop.run(until: .zero) }
        #expect(throws: LoopError.closed) { try loop.reinitAfterFork() }
        #expect(throws: LoopError.closed) { try loop.watch(pipe.reading, for: .readable) { _ in } }
        #expect(throws: LoopError.closed) { try loop.watch(signal: SIGUSR2) {} }
        #expect(throws: LoopError.closed) { try loop.watch(child: getpid()) { _ in } }
    }

    @Test func `the rest does nothing, and keeps nothing`() throws {
        let live = LiveObjects()
        let (loop, _) = try virtualLoop()
        loop.close()
        let timer = loop.schedule(after: .zero) { [o = live.make()] in _ = o }
        #expect(!timer.cancel())
        let observer = loop.observe(.beforeIdle) { [o = live.make()] _ in _ = o }
        #expect(!observer.isActive)
        let worker = loop.beforeIdle { [o = live.make()] _ in
            _ = o
            return .nothing
        }
        #expect(!worker.isActive)
        let port = loop.port(of: Int.self) { [o = live.make()] _ in _ = o }
        #expect(!port.send(1))
        loop.close(port)
        #expect(!loop.inbox.post { _ in })
        #expect(live.count == 0)
        let frames = loop.frames(every: .milliseconds(16)) { _ in Issue.record("a frame") }
        frames.pause()
        frames.resume()
        #expect(!frames.isActive)
        loop.expectFrame(at: .zero)
        let pressure = MemoryPressure(on: loop) {}
        pressure.isNeeded = true
        loop.mode = .tracking
        loop.poke()
        loop.stop()
        var reports: [ShutdownReport<String>]?
        loop.shutDown(within: .seconds(1)) { reports = $0 }
        #expect(reports?.isEmpty == true)
    }

    @Test(arguments: [false, true])
    func `a queue of a closed loop drops what it's handed`(isOlder: Bool) throws {
        let (loop, _) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.maxDeferral = .milliseconds(1)
        var queue: IdleQueue<Int>?
        if isOlder { queue = IdleQueue(on: loop, configuration: configuration) }
        let workers = isOlder ? try WorkerPool(width: 1, on: loop) : nil
        loop.close()
        #expect(throws: LoopError.closed) { try WorkerPool(width: 1, on: loop) }
        let operations = OperationPool(width: 1, on: loop)
        let late = queue ?? IdleQueue(on: loop, configuration: configuration)
        var ends: [String] = []
        let onEnd: (JobEnd) -> Void = { ends.append($0.word) }
        #expect(!late.isAccepting)
        #expect(late.submit(1, onEnd: onEnd) { _ in .done }.submission == .dropped)
        #expect(
            late.submit(2, timeout: .seconds(1), onEnd: onEnd) { _ in .done }.submission == .dropped
        )
        if let workers {
            let job = late.submit(4, on: workers, onEnd: onEnd, work: { 1 }) { _ in
                { _ in .done }
            }
            #expect(job.submission == .dropped)
        }
        let job = late.submit(
            5, on: operations, onEnd: onEnd,
            start: { (_: OperationCompletion<Int>) in NoOperation() }
        ) { _ in { _ in .done } }
        #expect(job.submission == .dropped)
        #expect(Set(ends) == ["came late"])
        #expect(late.statistics.isConserved && late.isEmpty)
        late.checkInvariants()
        late.close()
    }

    private final class NoOperation: PendingOperation {
        func cancel() {}
    }

    @Test func `tasks that ask a closed loop aren't kept waiting`() async throws {
        let (loop, _) = try virtualLoop()
        loop.close()
        let task = loop.task { Issue.record("it runs") }
        await #expect(throws: LoopError.closed) { try await task.value }
        let slot = await loop.idle()
        #expect(slot.isOver)
        await #expect(throws: LoopError.closed) {
            try await loop.taskClock.sleep(for: .seconds(1))
        }
    }

    @Test(arguments: [false, true])
    func `what ends a sleep isn't called if it was cancelled as the sleep ended`(
        closes: Bool
    ) throws {
        let loop = try MainLoop()
        let pipe = NonblockingPipe()
        let watch = try loop.watch(pipe.reading, for: .readable) { _ in
            Issue.record("called, though it was cancelled")
            loop.stop()
        }
        // Readable once the loop has polled: only its sleep finds that out.
        loop.observe(.beforeIdle, repeats: false) { _ in pipe.put() }
        loop.observe(.afterIdle, repeats: false) { _ in
            if closes {
                loop.close()
            } else {
                watch.cancel()
                loop.stop()
            }
        }
        try loop.run()
        #expect(loop.statistics.sleeps == 1)
        loop.close()
    }
}
