internal import CLullLibevent

/// A base that its host made and dispatches; one for all programs, as a loop leaves nothing behind.
@safe
final class Host {
    let base: OpaquePointer
    private var isDispatching = false

    init(priorities: Int32) {
        guard let base = unsafe event_base_new() else { preconditionFailure("there is a base") }
        unsafe event_base_priority_init(base, priorities)
        unsafe self.base = base
    }

    /// Dispatches what is ready, unless that is being done.
    func dispatch() {
        guard !isDispatching else { return }
        isDispatching = true
        unsafe event_base_loop(base, EVLOOP_NONBLOCK | EVLOOP_ONCE)
        isDispatching = false
    }

    /// Checks that no event was left behind.
    func checkIsEmpty() {
        let kinds = UInt32(
            EVENT_BASE_COUNT_ACTIVE | EVENT_BASE_COUNT_ADDED | EVENT_BASE_COUNT_VIRTUAL)
        precondition(
            unsafe event_base_get_num_events(base, kinds) == 0, "nothing is left on a host's base")
    }
}
