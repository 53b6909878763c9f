#if NIO
import IdleLoop
import LoopNIO
import NIOCore
import NIOPosix
import Synchronization
import TestSupport

/// A loop that is a guest of NIO's, on its thread, with a queue that polls after each job.
final class NIOStage {
    let eventLoop: any EventLoop
    let loop: MainLoop
    let queue: IdleQueue<Int>
    let ticks: Ticks
    /// The objects that closures on the loop hold.
    let live = LiveObjects()
    var log: [String] = []
    private let promise: EventLoopPromise<[String]>

    fileprivate init(
        on eventLoop: any EventLoop, _ promise: EventLoopPromise<[String]>, _ ticks: Ticks
    ) throws {
        self.eventLoop = eventLoop
        self.promise = promise
        self.ticks = ticks
        loop = try MainLoop(on: eventLoop)
        var configuration = QueueConfiguration()
        configuration.limit = 1_000_000
        configuration.batch = .zero
        queue = IdleQueue(on: loop, configuration: configuration)
    }

    /// Hands in a job that only says that it ran.
    func submit(_ key: Int) {
        queue.submit(key) { [unowned self] _ in
            log.append("job \(key)")
            return .done
        }
    }

    /// Closes everything, and ends the test with the log.
    func finish() {
        queue.close()
        loop.close()
        promise.succeed(log)
    }

    /// Calls `body` as a task of NIO's, after it has polled `count` times.
    func afterPolls(_ count: Int, _ body: @escaping () -> Void) {
        guard count > 0 else { return body() }
        let (this, pipe) = (NIOLoopBound((self, body), eventLoop: eventLoop), NonblockingPipe())
        pipe.put()
        pipe.watch(on: eventLoop) { channel in
            channel.close(promise: nil)
            this.value.0.afterPolls(count - 1, this.value.1)
        }
    }
}

/// The number of turns that NIO's loop has made.
final class Ticks: NIOEventLoopMetricsDelegate {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .relaxed) }

    func processedTick(info: NIOEventLoopTickInfo) {
        number.add(1, ordering: .relaxed)
    }
}

/// Runs `body` on a loop of NIO's, until the stage is finished; returns its log.
func onNIO(_ body: @escaping @Sendable (NIOStage) throws -> Void) async throws -> [String] {
    let ticks = Ticks()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1, metricsDelegate: ticks)
    let eventLoop = group.next()
    let result: Result<[String], any Error>
    do {
        let log = eventLoop.flatSubmit {
            let promise = eventLoop.makePromise(of: [String].self)
            do {
                try body(try NIOStage(on: eventLoop, promise, ticks))
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }
        result = .success(try await log.get())
    } catch {
        result = .failure(error)
    }
    try await group.shutdownGracefully()
    return try result.get()
}
#endif
