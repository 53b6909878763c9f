internal import IdleLoop

/// Brings what is asked of a loop to its thread, also if it is asked before the loop is there.
final class LoopRemote: Sendable {
    typealias Request = @Sendable (MainLoop) -> Void

    private enum State: Sendable {
        case early([Request])
        case connected(Inbox)
        case over
    }

    private let state = Guarded(State.early([]))

    /// Has the loop do something soon; nothing if it has ended.
    func ask(_ request: @escaping Request) {
        let inbox = state.withLock { state -> Inbox? in
            switch state {
            case .early(let requests):
                state = .early(requests + [request])
                return nil
            case .connected(let inbox): return inbox
            case .over: return nil
            }
        }
        inbox?.postAnyway(request)
    }

    /// Gives a loop what was asked so far and what will be.
    func connect(to inbox: Inbox) {
        let requests = state.withLock { state -> [Request] in
            guard case .early(let requests) = state else { return [] }
            state = .connected(inbox)
            return requests
        }
        for request in requests { inbox.postAnyway(request) }
    }

    /// The loop has ended.
    func disconnect() {
        state.withLock { $0 = .over }
    }
}
