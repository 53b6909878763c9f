#if NIO
import IdleLoop
import LoopNIO
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// Tasks of a loop and of NIO's executor, which agree on the thread.
struct NIOTaskTests {
    /// An actor that runs on a loop of NIO's.
    private actor Native {
        nonisolated let eventLoop: any EventLoop
        private(set) var count = 0

        init(on eventLoop: any EventLoop) {
            self.eventLoop = eventLoop
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            unsafe eventLoop.executor.asUnownedSerialExecutor()
        }

        func add(_ number: Int) -> Bool {
            count += number
            return eventLoop.inEventLoop
        }

        /// Calls an actor of the loop's so many times.
        func call(_ ours: Ours, times: Int) async -> Int {
            var agreed = 0
            for _ in 0..<times where await ours.add(1) && eventLoop.inEventLoop { agreed += 1 }
            return agreed
        }

        /// Assumes to be on `LoopActor`, which is on the same thread.
        func assume() -> Bool {
            LoopActor.assumeIsolated { (try? LoopActor.loop) != nil }
        }
    }

    /// An actor that runs on the guest.
    private actor Ours {
        nonisolated let executor: LoopExecutor
        private(set) var count = 0

        init(on executor: LoopExecutor) {
            self.executor = executor
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            unsafe executor.asUnownedSerialExecutor()
        }

        func add(_ number: Int) -> Bool {
            count += number
            return executor.isIsolatingCurrentContext() == true
        }
    }

    @Test func `a loop's task is on NIO's thread, by NIO's own checks`() async throws {
        let log = try await onNIO { stage in
            let native = Native(on: stage.eventLoop)
            stage.loop.task {
                stage.log.append("\(stage.eventLoop.inEventLoop)")
                stage.eventLoop.preconditionInEventLoop()
                native.preconditionIsolated()
                stage.log.append("\(await native.add(1))")
                stage.log.append("\(stage.eventLoop.inEventLoop)")
                stage.finish()
            }
        }
        #expect(log == ["true", "true", "true"])
    }

    @Test func `code on NIO's executor may assume the loop's actor`() async throws {
        let log = try await onNIO { stage in
            try stage.loop.serve(LoopActor.executor)
            let native = Native(on: stage.eventLoop)
            let this = NIOLoopBound(stage, eventLoop: stage.eventLoop)
            LoopActor.assumeIsolated { this.value.log.append("in a task of NIO's") }
            Task {
                let isAssumed = await native.assume()
                await LoopActor.run {
                    this.value.log.append("\(isAssumed)")
                    this.value.finish()
                }
            }
        }
        #expect(log == ["in a task of NIO's", "true"])
    }

    @Test func `the main actor isn't on a thread of NIO's, and the guest says so`() async throws {
        let log = try await onNIO { stage in
            do { try stage.loop.serveMainQueue() } catch { stage.log.append("\(error)") }
            stage.finish()
        }
        #expect(log == ["the main queue is served on the main thread only"])
    }

    @Test func `hops between both lose nothing`() async throws {
        let log = try await onNIO { stage in
            let native = Native(on: stage.eventLoop)
            let ours = Ours(on: stage.loop.executor)
            let this = NIOLoopBound(stage, eventLoop: stage.eventLoop)
            Task {
                async let first = native.call(ours, times: 1000)
                async let second = native.call(ours, times: 1000)
                let agreed = await first + second
                for _ in 0..<1000 {
                    _ = await native.add(1)
                    _ = await ours.add(1)
                }
                let sums = (await native.count, await ours.count)
                this.eventLoop.execute {
                    this.value.log.append("\(agreed) \(sums)")
                    this.value.finish()
                }
            }
        }
        #expect(log == ["2000 (1000, 3000)"])
    }
}

extension LoopActor {
    /// Runs `body` on the actor.
    @LoopActor fileprivate static func run(_ body: @LoopActor @Sendable () -> Void) { body() }
}
#endif
