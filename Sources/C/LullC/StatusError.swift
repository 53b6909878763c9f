internal import CLull
internal import LullLibC
internal import IdleLoop

/// The reason why a call from C was refused: a status below zero.
struct StatusError: Error {
    let status: lull_status

    static let invalid = StatusError(status: LULL_INVALID)
    static let noMemory = StatusError(status: LULL_NO_MEMORY)

    init(status: lull_status) {
        self.status = status
    }

    /// The status for a loop's error; `errno` then has the details.
    init(_ error: LoopError) {
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
}

/// Calls the body of a C function, and returns its status.
func status(_ body: () throws(StatusError) -> lull_status) -> lull_status {
    do {
        return try body()
    } catch {
        return error.status
    }
}
