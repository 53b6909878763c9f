internal import CLull
internal import Glibc
internal import IdleLoop

/// Why a call of the header's was refused: a status below zero.
struct Refusal: Error {
    let status: lull_status

    static let invalid = Refusal(status: LULL_INVALID)
    static let noMemory = Refusal(status: LULL_NO_MEMORY)

    init(status: lull_status) {
        self.status = status
    }

    /// What a loop's error is called in C; `errno` then says the rest.
    init(_ error: LoopError) {
        switch error {
        case .system(_, let code):
            errno = code
            // libevent sets none where it has no memory.
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

/// Does what a function of the header's stands for, and says what became of it.
func status(_ body: () throws(Refusal) -> lull_status) -> lull_status {
    do {
        return try body()
    } catch {
        return error.status
    }
}
