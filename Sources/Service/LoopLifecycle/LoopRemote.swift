#if Lifecycle
internal import IdleLoop

/// A channel for requests from other threads to a loop, even before the loop exists.
final class LoopRemote: Sendable {
    typealias Request = @Sendable (MainLoop) -> Void

    private enum State: Sendable {
        case early([Request])
        case connected(Inbox)
        case over
    }

    private let state = Guarded(State.early([]))

    /// Sends a request to the loop; does nothing if the loop has ended.
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

    /// Connects the loop, and sends it the requests so far.
    func connect(to inbox: Inbox) {
        let requests = state.withLock { state -> [Request] in
            guard case .early(let requests) = state else { return [] }
            state = .connected(inbox)
            return requests
        }
        for request in requests { inbox.postAnyway(request) }
    }

    /// Marks the loop as ended.
    func disconnect() {
        state.withLock { $0 = .over }
    }
}
#endif
