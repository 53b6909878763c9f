#if NIO
import Dispatch
import IdleLoop
import LoopNIO
import NIOCore
import NIOEmbedded
import NIOPosix
import TestSupport
import Testing

/// Loops that are guests of a loop of NIO's.
struct NIOGuestTests {
    // MARK: - Jobs

    @Test func `what a job makes ready for NIO is served before the next job`() async throws {
        let log = try await onNIO { stage in
            let pipe = NonblockingPipe()
            let this = NIOLoopBound(stage, eventLoop: stage.eventLoop)
            pipe.watch(on: stage.eventLoop) { _ in
                this.value.log.append("read")
                if this.value.log.count == 200 { this.value.finish() }
            }
            for key in 0..<100 {
                stage.queue.submit(key) { _ in
                    stage.log.append("job \(key)")
                    pipe.put()
                    return .done
                }
            }
        }
        #expect(log == (0..<100).flatMap { ["job \($0)", "read"] })
    }

    @Test func `jobs run in turns of their own, after the tasks that the last one handed in`()
        async throws
    {
        let log = try await onNIO { stage in
            let ticks = stage.ticks
            var last: Int?
            let this = NIOLoopBound(stage, eventLoop: stage.eventLoop)
            for key in 0..<100 {
                stage.queue.submit(key) { _ in
                    stage.log.append(ticks.count == last ? "same turn" : "job")
                    last = ticks.count
                    stage.eventLoop.execute {
                        this.value.eventLoop.execute {
                            this.value.log.append("task")
                            if this.value.log.count == 200 { this.value.finish() }
                        }
                    }
                    return .done
                }
            }
        }
        #expect(log == (0..<100).flatMap { _ in ["job", "task"] })
    }

    @Test func `a post that posts again, and a timer without delay, let NIO poll`() async throws {
        let log = try await onNIO { stage in
            @Sendable func again(_ loop: MainLoop) { loop.inbox.post(again) }
            stage.loop.inbox.post(again)
            func zero() { stage.loop.schedule(after: .zero, zero) }
            zero()
            stage.afterPolls(100) { stage.finish() }
        }
        #expect(log == [])
    }

    @Test func `a post that comes while the rest of older ones waits is called, too`() async throws
    {
        let log = try await onNIO { stage in
            let (this, loop) = (NIOLoopBound(stage, eventLoop: stage.eventLoop), stage.loop)
            loop.inbox.post { loop in
                loop.inbox.post { _ in this.value.log.append("newer") }
                let end = loop.clock.now.advanced(by: .microseconds(60))
                while loop.clock.now < end {}  // so that the rest waits for the next pass
            }
            loop.inbox.post { _ in this.value.log.append("rest") }
            stage.afterPolls(100) { stage.finish() }
        }
        #expect(log == ["rest", "newer"])
    }

    @Test func `a loop at rest makes no turn`() async throws {
        let log = try await onNIO { stage in
            let this = NIOLoopBound(stage, eventLoop: stage.eventLoop)
            /// Looks with timers of NIO's until nothing was done since it looked last.
            @Sendable func look(since counts: Statistics, ticks: Int, often: Int = 1000) {
                this.eventLoop.scheduleTask(in: .milliseconds(5)) {
                    let stage = this.value
                    let (now, ticksNow) = (stage.loop.statistics, stage.ticks.count)
                    if now != counts, often > 0 {
                        return look(since: now, ticks: ticksNow, often: often - 1)
                    }
                    // The turn of the timer before, but not of this one, was counted since.
                    stage.log.append("\(ticksNow - ticks) turn")
                    stage.log.append("\(now == counts)")
                    stage.finish()
                }
            }
            let timer = stage.loop.schedule(after: .milliseconds(5)) {}
            timer.cancel()
            // A watch whose descriptor isn't ready costs nothing, either.
            let pipe = NonblockingPipe()
            try stage.loop.watch(pipe.reading, for: .readable) { _ in
                pipe.drain()
                look(since: stage.loop.statistics, ticks: stage.ticks.count)
            }
            for key in 0..<3 { stage.submit(key) }
            stage.queue.submit(3) { _ in
                pipe.put()
                return .done
            }
        }
        #expect(log == ["job 0", "job 1", "job 2", "1 turn", "true"])
    }

    // MARK: - Beginnings and ends

    @Test func `a loop is created on the event loop's thread`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        #expect(throws: LoopError.notOnHostThread) { try MainLoop(on: group.next()) }
        try await group.shutdownGracefully()
    }

    @Test func `a loop may outlive NIO's`() async throws {
        nonisolated(unsafe) var left: MainLoop?
        let pipe = NonblockingPipe()
        let log = try await onNIO { stage in
            let loop = try MainLoop(on: stage.eventLoop)
            loop.schedule(after: .seconds(1000)) {}
            try loop.watch(pipe.reading, for: .readable) { _ in }
            unsafe left = loop
            stage.finish()
        }
        #expect(log == [])
        let inbox = try #require(unsafe left?.inbox)
        #expect(inbox.post { _ in })
        unsafe left = nil
        #expect(!inbox.post { _ in })
    }

    @Test func `jobs, posts and tasks run in an embedded event loop, too`() throws {
        let eventLoop = EmbeddedEventLoop()
        let loop = try MainLoop(on: eventLoop)
        let queue = IdleQueue<Int>(on: loop)
        var log: [String] = []
        loop.inbox.post { _ in eventLoop.execute {} }
        queue.submit(1) { _ in
            log.append("job")
            return .done
        }
        loop.schedule(at: loop.clock.now) { log.append("timer") }
        loop.task {
            log.append("task")
            _ = await loop.idle()
            log.append("lull")
        }
        eventLoop.run()
        #expect(log.sorted() == ["job", "lull", "task", "timer"])
        let later = loop.schedule(after: .seconds(1000)) { log.append("?") }
        eventLoop.advanceTime(by: .seconds(2000))
        later.cancel()
        loop.close()
        eventLoop.run()
        #expect(log.count == 4)
    }
}
#endif
