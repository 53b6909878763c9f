/// The global actor of a program's main loop.
///
/// Code that is isolated to it runs on the thread of the loop that serves its executor:
///
/// ```swift
/// let loop = try MainLoop()
/// try loop.serve(LoopActor.executor)
/// Task { @LoopActor in
///     let clock = try LoopActor.loop.taskClock
///     while true { try await clock.sleep(for: .seconds(3600)); reload() }
/// }
/// try loop.run()
/// ```
///
/// It's for a loop that isn't on the main thread, as one on SwiftNIO; there, `@MainActor` does the same
/// without `serve`. A program with several loops declares one such actor for each.
@globalActor
public actor LoopActor {
    /// The shared instance.
    public static let shared = LoopActor()

    /// The executor of this actor, to be served by a loop; until then, calls to the actor wait.
    public static let executor = LoopExecutor()

    /// The executor that this actor runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe LoopActor.executor.asUnownedSerialExecutor()
    }

    /// The loop that serves this actor.
    ///
    /// Throws `closed` after the loop is closed, until another loop serves the executor.
    @LoopActor
    public static var loop: MainLoop {
        get throws(LoopError) {
            guard let loop = executor.servingLoop else { throw .closed }
            return loop
        }
    }

    /// Runs `body` as isolated to this actor, from code that isn't isolated to it but runs on its
    /// loop's thread, such as a loop's callbacks.
    ///
    /// Traps on any other thread.
    public static func assumeIsolated<Result: Sendable, Failure: Error>(
        _ body: @LoopActor () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        typealias Plain = () throws(Failure) -> Result
        executor.checkIsolated()
        // As the standard library does for the main actor: the check above replaces the hop.
        return try withoutActuallyEscaping(body) { body throws(Failure) in
            try unsafe unsafeBitCast(body, to: Plain.self)()
        }
    }
}
