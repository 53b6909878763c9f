internal import CLullLibevent
internal import IdleLoop
internal import RandomPrograms

/// A base that its host made and dispatches.
@safe
final class Host: ProgramHost {
    private let base: OpaquePointer
    private var isDispatching = false

    init(priorities: Int32) {
        guard let base = unsafe event_base_new() else { preconditionFailure("there is a base") }
        unsafe event_base_priority_init(base, priorities)
        unsafe self.base = base
    }

    func adopt(inboxCapacity: Int) throws -> MainLoop {
        unsafe try MainLoop(adopting: base, inboxCapacity: inboxCapacity)
    }

    func dispatch() {
        guard !isDispatching else { return }
        isDispatching = true
        unsafe event_base_loop(base, EVLOOP_NONBLOCK | EVLOOP_ONCE)
        isDispatching = false
    }

    var isEmpty: Bool {
        let kinds = UInt32(
            EVENT_BASE_COUNT_ACTIVE | EVENT_BASE_COUNT_ADDED | EVENT_BASE_COUNT_VIRTUAL)
        return unsafe event_base_get_num_events(base, kinds) == 0
    }
}
