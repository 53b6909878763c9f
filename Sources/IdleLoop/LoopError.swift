internal import Glibc

/// What a loop could not do, and what the system said of it.
public enum LoopError: Error, Equatable {
    /// A call of libevent or the kernel failed with this `errno`.
    case system(call: String, errno: Int32)
    /// The descriptor is not open in this process.
    case badDescriptor(Int32)
    /// The descriptor is a regular file's or a folder's, which the kernel calls ready always.
    case notPollable(Int32)
    /// The signal can't be caught, or is no signal's number.
    case badSignal(Int32)
    /// There is no process of this number.
    case noProcess(Int32)
    /// A loop was to adopt a base that is nil.
    case noBase
    /// The loop was closed before what was asked of it came, or before it was asked.
    case closed
    /// The loop lives on a host's base, which the host runs.
    case adopted
    /// The loop runs already, and was to be run from inside one of its own callbacks.
    case alreadyRunning
    /// What can't be done inside one of the loop's callbacks was asked for there.
    case insideCallback
    /// The loop serves another executor, or the executor is served by another loop.
    case alreadyServed
    /// The library that serves the main queue doesn't offer this function.
    case noMainQueue(missing: String)
    /// The main queue is served on the main thread only.
    case notOnMainThread
    /// The work was on a worker when the process was forked, and the child has no such thread.
    case lostInFork
    /// Another thread was posting to the loop at the moment of the fork: the child's copy of its
    /// inbox is locked for ever.
    case postingWhileForking
}

extension LoopError: CustomStringConvertible {
    /// The call and its error, for a log.
    public var description: String {
        switch self {
        case .system(let call, let code):
            "\(call): \(unsafe String(cString: strerror(code))) (\(code))"
        case .badDescriptor(let descriptor):
            "descriptor \(descriptor) is not open"
        case .notPollable(let descriptor):
            "descriptor \(descriptor) is a file or a folder, which is always ready"
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
        case .notOnMainThread:
            "the main queue is served on the main thread only"
        case .lostInFork:
            "the work was on a worker when the process was forked"
        case .postingWhileForking:
            "another thread was posting to the loop when the process was forked"
        }
    }
}
