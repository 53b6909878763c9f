public import IdleLoop
internal import LoopLogging
public import Logging
public import ServiceLifecycle

/// A main loop on a thread of its own, as a service among others of a program.
///
/// ```swift
/// let service = LoopService { loop in
///     let queue = IdleQueue<String>(on: loop)
///     …
///     return queue
/// }
/// try await ServiceGroup(
///     services: [service], gracefulShutdownSignals: [.sigterm], logger: logger
/// ).run()
/// ```
///
/// On graceful shutdown the loop's queues take nothing in any more, finish in lulls what they can in
/// time, and give the rest back; that is logged and told, and the loop ends. When its task is
/// cancelled the loop stops after the pass under way. No thread of Swift's own pool is held up.
public struct LoopService: Service {
    private let makeLoop: @Sendable () throws -> MainLoop
    private let time: Duration
    private let logger: Logger?
    private let onShutdown: @Sendable ([ShutdownReport<String>]) -> Void
    private let setUp: @Sendable (MainLoop) throws -> Any

    /// A service that has not begun; each `run` makes a loop anew.
    ///
    /// - Parameters:
    ///   - time: How long a graceful shutdown may go on with what waits.
    ///   - logger: Told of what a graceful shutdown has finished and given back.
    ///   - makeLoop: Makes the loop, on its thread; not one that is adopted.
    ///   - onShutdown: Told the same, on the loop's thread, before the loop ends: the moment to save
    ///     what was given back.
    ///   - setUp: Called on the loop's thread before it runs. What it returns, say the queues, is
    ///     kept until the loop has ended.
    public init<Kept>(
        finishingWithin time: Duration = .seconds(10), logger: Logger? = nil,
        makeLoop: @escaping @Sendable () throws -> MainLoop = { try MainLoop() },
        onShutdown: @escaping @Sendable ([ShutdownReport<String>]) -> Void = { _ in },
        setUp: @escaping @Sendable (MainLoop) throws -> Kept
    ) {
        precondition(time >= .zero, "a shutdown's time is not negative")
        self.makeLoop = makeLoop
        self.time = time
        self.logger = logger
        self.onShutdown = onShutdown
        self.setUp = setUp
    }

    /// Runs a loop until it is shut down, cancelled or stopped from inside.
    ///
    /// Throws what making it, setting it up or running it threw, or that there's no thread for it.
    public func run() async throws {
        let remote = LoopRemote()
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await live(under: remote)
            } onGracefulShutdown: {
                remote.ask(shutDown)
            }
        } onCancel: {
            remote.ask { loop in loop.stop() }
        }
    }

    /// Has a loop live on a thread of its own, and returns when it has ended.
    private func live(under remote: LoopRemote) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            let code = startThread {
                let result = Result { try runLoop(under: remote) }
                continuation.resume(with: result)
            }
            guard code != 0 else { return }
            continuation.resume(throwing: LoopError.system(call: "pthread_create", errno: code))
        }
    }

    private func runLoop(under remote: LoopRemote) throws {
        let loop = try makeLoop()
        defer { loop.close() }
        precondition(!loop.isAdopted, "a service's loop is not a host's")
        let kept = try setUp(loop)
        remote.connect(to: loop.inbox)
        defer { remote.disconnect() }
        try loop.run()
        withExtendedLifetime(kept) {}
    }

    private func shutDown(_ loop: MainLoop) {
        loop.shutDown(within: time) { reports in
            logger?.log(reports)
            onShutdown(reports)
            loop.stop()
        }
    }
}
