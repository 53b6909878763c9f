internal import CLull
internal import LullLibC
internal import IdleLoop

/// The reason why a call from C was refused: a status below zero, and words for it.
struct StatusError: Error {
    let status: lull_status
    /// The argument, and what is wrong with it.
    private let reason: String

    static let noMemory = StatusError(LULL_NO_MEMORY, "there is no memory, or no handle left")
    /// Inside a callback of the loop.
    static let busy = StatusError(LULL_BUSY, "loop is inside a callback")

    /// Inside a job that may run anywhere.
    static let insideBody = StatusError(LULL_BUSY, "a job that may run anywhere is being called")

    static func invalid(_ argument: String, _ problem: String) -> StatusError {
        StatusError(LULL_INVALID, "\(argument) \(problem)")
    }

    init(_ status: lull_status, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    /// The status for a loop's error; `errno` then has the details.
    init(_ error: LoopError) {
        reason = "\(error)"
        switch error {
        case .system(_, let code):
            errno = code
            // libevent leaves errno at 0 when it is out of memory.
            status = code == 0 || code == ENOMEM ? LULL_NO_MEMORY : LULL_SYSTEM
        case .postingWhileForking:
            errno = EDEADLK
            status = LULL_SYSTEM
        case .insideCallback:
            status = LULL_BUSY
        default:
            status = LULL_INVALID
        }
    }

    /// Keeps the words for `lull_last_error`, and returns the status; `errno` stays as it is.
    func report(by function: StaticString) -> lull_status {
        let code = errno
        defer { errno = code }
        let name = "\(function)".prefix { $0 != "(" }
        unsafe "\(name): \(reason)".withCString { unsafe lull_keep_error($0) }
        return status
    }
}

/// Calls the body of a C function, and returns its status.
func status(
    _ function: StaticString = #function, _ body: () throws(StatusError) -> lull_status
) -> lull_status {
    do {
        return try body()
    } catch {
        return error.report(by: function)
    }
}

/// Refuses an argument unless a condition holds for it.
func require(
    _ holds: Bool, _ argument: @autoclosure () -> String, _ problem: @autoclosure () -> String
) throws(StatusError) {
    guard holds else { throw .invalid(argument(), problem()) }
}

/// Returns what C has given; refuses NULL.
func given<Value>(
    _ value: Value?, _ argument: String, _ problem: String = "is NULL"
) throws(StatusError) -> Value {
    guard let value else { throw .invalid(argument, problem) }
    return value
}
