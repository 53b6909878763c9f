internal import LullLibC

/// An error of a loop, with the system's error where there is one.
public enum LoopError: Error, Equatable {
    /// A call of libevent or the kernel failed with this `errno`.
    case system(call: String, errno: Int32)
    /// The descriptor is not open in this process.
    case badDescriptor(Int32)
    /// The descriptor is always ready, as that of a file, a folder or /dev/null is.
    case notPollable(Int32)
    /// The signal can't be caught, or the number is not that of a signal.
    case badSignal(Int32)
    /// There is no process of this number.
    case noProcess(Int32)
    /// The base to be adopted is nil.
    case noBase
    /// The loop was closed before the call, or before the awaited event.
    case closed
    /// The loop is a guest, which its host runs.
    case adopted
    /// The loop is already running: `run` was called from inside one of its callbacks.
    case alreadyRunning
    /// The call isn't allowed inside one of the loop's callbacks.
    case insideCallback
    /// The loop serves another executor, or the executor is served by another loop.
    case alreadyServed
    /// Dispatch's library doesn't have this function, which serving the main queue needs.
    case noMainQueue(missing: String)
    /// The main actor is run by this executor, or by this hook of Swift's runtime, and not by
    /// Dispatch's main queue.
    case otherMainExecutor(String)
    /// A guest of this host is created on the thread that runs the host's loop.
    case notOnHostThread
    /// The main queue can be served on the main thread only.
    case notOnMainThread
    /// The work was on a worker when the process was forked, and the child has no such thread.
    case lostInFork
    /// Another thread was posting to the loop during the fork: the child's copy of the inbox is
    /// locked for ever.
    case postingWhileForking
}

extension LoopError: CustomStringConvertible {
    /// A description of the error for a log, with the failed call.
    public var description: String {
        switch self {
        case .system(let call, let code):
            "\(call): \(unsafe String(cString: strerror(code))) (\(code))"
        case .badDescriptor(let descriptor):
            "descriptor \(descriptor) is not open"
        case .notPollable(let descriptor):
            "descriptor \(descriptor) is always ready, as files, folders and /dev/null are"
        case .badSignal(let number):
            "signal \(number) can't be caught"
        case .noProcess(let number):
            "there is no process \(number)"
        case .noBase:
            "there is no event base to adopt"
        case .closed:
            "the loop was closed"
        case .adopted:
            "an adopted loop is run by its host"
        case .alreadyRunning:
            "the loop runs already"
        case .insideCallback:
            "this can't be done inside one of the loop's callbacks"
        case .alreadyServed:
            "the loop or the executor has another already"
        case .noMainQueue(let missing):
            "the main queue can't be served without \(missing)"
        case .otherMainExecutor(let name):
            "the main actor is run by \(name), not by Dispatch's main queue"
        case .notOnHostThread:
            "a guest of this host is created on the thread that runs the host's loop"
        case .notOnMainThread:
            "the main queue is served on the main thread only"
        case .lostInFork:
            "the work was on a worker when the process was forked"
        case .postingWhileForking:
            "another thread was posting to the loop when the process was forked"
        }
    }
}
