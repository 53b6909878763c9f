package import CLull
package import IdleLoop
internal import LullLibC

/// The reason why a call from C was refused: a status below zero, and words for it.
package struct StatusError: Error {
    package let status: lull_status
    /// The argument, and what is wrong with it.
    private let reason: String

    package static let noMemory = StatusError(
        LULL_NO_MEMORY, "there is no memory, or no handle left")
    /// Inside a callback of the loop.
    package static let busy = StatusError(LULL_BUSY, "loop is inside a callback")
    /// Inside a job that may run anywhere.
    package static let insideBody = StatusError(
        LULL_BUSY, "a job that may run anywhere is being called")

    package static func invalid(_ argument: String, _ problem: String) -> StatusError {
        StatusError(LULL_INVALID, "\(argument) \(problem)")
    }

    package init(_ status: lull_status, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    /// The status for a loop's error; `errno` then has the details.
    package init(_ error: LoopError) {
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
    package func report(by function: StaticString) -> lull_status {
        let code = errno
        defer { errno = code }
        let name = "\(function)".prefix { $0 != "(" }
        unsafe "\(name): \(reason)".withCString { unsafe lull_set_last_error($0) }
        return status
    }
}

/// Calls the body of a C function, and returns its status.
package func status(
    _ function: StaticString = #function, _ body: () throws(StatusError) -> lull_status
) -> lull_status {
    do {
        return try body()
    } catch {
        return error.report(by: function)
    }
}

/// Refuses an argument unless a condition holds for it.
package func require(
    _ holds: Bool, _ argument: @autoclosure () -> String, _ problem: @autoclosure () -> String
) throws(StatusError) {
    guard holds else { throw .invalid(argument(), problem()) }
}

/// Returns what C has given; refuses NULL.
package func given<Value>(
    _ value: Value?, _ argument: String, _ problem: String = "is NULL"
) throws(StatusError) -> Value {
    guard let value else { throw .invalid(argument, problem) }
    return value
}
