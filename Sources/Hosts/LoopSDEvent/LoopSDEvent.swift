internal import CLullSDEventHost
internal import LullForeignHosts
public import IdleLoop

extension MainLoop {
    /// Creates a loop that is a guest of an sd-event loop.
    ///
    /// Idle work has a priority of sd-event's; the default is below `SD_EVENT_PRIORITY_IDLE`. Throws
    /// `noBase` for nil. See ``/IdleLoop/MainLoop/init(on:inboxCapacity:)``.
    public convenience init(
        onSDEvent event: OpaquePointer?, priority: Int64 = 1000, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        guard let event = unsafe event else { throw .noBase }
        try self.init(
            guestOf: unsafe ForeignHost(lull_sd_event_host(event, priority)),
            inboxCapacity: inboxCapacity)
    }
}
