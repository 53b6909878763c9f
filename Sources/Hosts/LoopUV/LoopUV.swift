internal import CLullUVHost
internal import LullForeignHosts
public import IdleLoop

extension MainLoop {
    /// Creates a loop that is a guest of a libuv loop, whose `uv_loop_t` is at this address.
    ///
    /// Work runs right after a poll that has brought nothing. Pending work keeps `uv_run` from
    /// returning. After the loop is closed, run libuv's once more before `uv_loop_close`, as after
    /// any `uv_close`. Throws `noBase` for nil. See ``/IdleLoop/MainLoop/init(on:inboxCapacity:)``.
    public convenience init(
        onUV loop: UnsafeMutableRawPointer?, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        guard let loop = unsafe loop else { throw .noBase }
        try self.init(
            guestOf: unsafe ForeignHost(lull_uv_host(OpaquePointer(loop))),
            inboxCapacity: inboxCapacity)
    }
}
