#if Lifecycle
public import IdleLoop
internal import LoopLogging
public import Logging
internal import LullLibC
public import ServiceLifecycle

/// A main loop on a thread of its own, as one of a program's services.
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
/// On graceful shutdown, the loop's queues accept no more jobs, finish in lulls what they can in
/// time, and return the rest. The result is logged and passed to `onShutdown`, and the loop ends.
/// If the service's task is cancelled, the loop stops after the current pass. No thread of Swift's
/// own pool is blocked.
public struct LoopService: Service {
    private let makeLoop: @Sendable () throws -> MainLoop
    private let time: Duration
    private let logger: Logger?
    private let onShutdown: @Sendable ([ShutdownReport<String>]) -> Void
    private let setUp: @Sendable (MainLoop) throws -> Any

    /// Creates a service that has not begun; each `run` creates a new loop.
    ///
    /// - Parameters:
    ///   - time: The maximum time for which a graceful shutdown continues with waiting jobs.
    ///   - logger: The logger of the loop's beginning, with the release of Lull as `lull.build`, and
    ///     of the jobs that a graceful shutdown has finished and returned.
    ///   - makeLoop: Creates the loop, on its thread; not an adopted one.
    ///   - onShutdown: Called with the same reports, on the loop's thread, before the loop ends, to
    ///     save the returned jobs.
    ///   - setUp: Called on the loop's thread before the loop runs. Its result, for example the
    ///     queues, is kept until the loop has ended.
    public init<Kept>(
        finishingWithin time: Duration = .seconds(10), logger: Logger? = nil,
        makeLoop: @escaping @Sendable () throws -> MainLoop = { try MainLoop() },
        onShutdown: @escaping @Sendable ([ShutdownReport<String>]) -> Void = { _ in },
        setUp: @escaping @Sendable (MainLoop) throws -> Kept
    ) {
        self.makeLoop = makeLoop
        self.time = time
        self.logger = logger
        self.onShutdown = onShutdown
        self.setUp = setUp
    }

    /// Runs a loop until it is shut down, cancelled or stopped from inside.
    ///
    /// Throws the error of making it, setting it up or running it, or of creating its thread.
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

    /// Runs a loop on a thread of its own, and returns when it has ended.
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
        logger?.info("loop begins", metadata: ["lull.build": "\(LullBuild.description)"])
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
#endif
