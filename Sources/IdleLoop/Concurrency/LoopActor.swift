/// The global actor of a program's main loop.
///
/// What is marked with it runs on the thread of the loop that serves its executor:
///
/// ```swift
/// let loop = try MainLoop()
/// try loop.serve(LoopActor.executor)
/// Task { @LoopActor in
///     for await _ in try LoopActor.loop.signals(SIGHUP) { reload() }
/// }
/// try loop.run()
/// ```
///
/// A program with several loops gives each an actor of this form of its own.
@globalActor
public actor LoopActor {
    /// The one instance.
    public static let shared = LoopActor()

    /// What a loop serves for this actor to live on it; what is asked of it before waits until then.
    public static let executor = LoopExecutor()

    /// The executor that this actor runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe LoopActor.executor.asUnownedSerialExecutor()
    }

    /// The loop that this actor lives on.
    ///
    /// Throws `closed` once that is, until another serves the executor.
    @LoopActor
    public static var loop: MainLoop {
        get throws(LoopError) {
            guard let loop = executor.servingLoop else { throw .closed }
            return loop
        }
    }

    /// Runs `body` as isolated to this actor, in code that isn't but runs on its loop's thread, as a
    /// loop's callbacks do.
    ///
    /// Traps anywhere else.
    public static func assumeIsolated<Result: Sendable, Failure: Error>(
        _ body: @LoopActor () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        typealias Plain = () throws(Failure) -> Result
        executor.checkIsolated()
        // As in the standard library's own for the main actor: the check above stands for the hop.
        return try withoutActuallyEscaping(body) { body throws(Failure) in
            try unsafe unsafeBitCast(body, to: Plain.self)()
        }
    }
}
