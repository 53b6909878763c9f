import IdleLoop
import LoopNIO
import NIOCore
import NIOPosix
import Workloads

/// Runs workloads on Lull as a guest of a loop of one thread, while the main thread waits.
struct Guest: Sendable {
    private let eventLoop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    /// A guest under way.
    private final class Stage {
        let loop: MainLoop
        private let run: Run
        private var queues: [IdleQueue<Int>] = []
        var frames: FrameSource?

        init(on eventLoop: any EventLoop, _ run: Run) throws {
            self.run = run
            loop = try MainLoop(on: eventLoop)
        }

        /// A queue with so much time between two polls, kept until the end.
        func queue(batch: Duration) -> IdleQueue<Int> {
            var configuration = QueueConfiguration()
            configuration.batch = batch
            let queue = IdleQueue<Int>(on: loop, configuration: configuration)
            queues.append(queue)
            return queue
        }

        func end() {
            frames?.cancel()
            for queue in queues { queue.close() }
            loop.close()
            run.end()
        }
    }

    /// Calls `start` on the loop with a new guest, and waits until that has ended.
    private func wait(start: @escaping @Sendable (Stage) throws -> Void) throws {
        let run = Run(over: eventLoop.makePromise())
        try eventLoop.submit { [eventLoop] in try start(try Stage(on: eventLoop, run)) }.wait()
        try run.over.futureResult.wait()
    }

    /// The descriptor is NIO's.
    func foreground(variant: Int) throws {
        let fore = Foreground(variant: variant)
        try wait { [eventLoop] stage in
            let this = NIOLoopBound(stage, eventLoop: eventLoop)
            _ = NIOPipeBootstrap(group: eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = TimesHandler { times in
                            guard !fore.received(times) else { return }
                            channel.close(promise: nil)
                            this.value.end()
                        }
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .takingOwnershipOfDescriptor(input: dup(fore.descriptor))
            for _ in 0..<fore.sources {
                stage.queue(batch: .microseconds(50)).submit(0) { _ in
                    _ = fore.job()
                    return .again
                }
            }
            fore.start()
        }
        fore.report()
    }

    func quietSleep() throws {
        let quiet = QuietSleep()
        try wait { stage in
            let port = stage.loop.port(of: Bool.self) { _ in
                quiet.end()
                stage.end()
            }
            let queue = stage.queue(batch: .zero)
            queue.submit(0, onEnd: { _ in quiet.begin { port.send(true) } }) { _ in
                quiet.job() ? .again : .done
            }
        }
        quiet.report()
    }

    func frames(variant: Int) throws {
        let frames = Frames(variant: variant)
        try wait { stage in
            let queue = stage.queue(batch: .microseconds(50))
            var key = 0
            func fill() {
                while queue.count < 30 {
                    key += 1
                    let job = frames.takeJob()
                    queue.submit(key, cost: .nanoseconds(Int64(job.costHint))) { _ in
                        if !frames.run(job) { stage.end() }
                        return .done
                    }
                }
            }
            frames.start()
            stage.frames = stage.loop.frames(
                every: .nanoseconds(Int64(frames.period)),
                from: Instant(nanoseconds: Int64(frames.nextDue)), tolerance: .microseconds(500)
            ) { _ in
                if frames.handle() { fill() } else { stage.end() }
            }
            stage.loop.observe(.beforeIdle) { _ in fill() }
        }
        frames.report()
    }
}
