internal import CLullGLibHost
internal import LullForeignHosts
public import IdleLoop

extension MainLoop {
    /// Creates a loop that is a guest of a GLib main context, the default one if `context` is nil;
    /// for GTK and Qt programs, too.
    ///
    /// Idle work has a priority of GLib's. The default, `G_PRIORITY_LOW`, is below what GTK and
    /// `g_idle_add` do. See ``/IdleLoop/MainLoop/init(on:inboxCapacity:)``.
    public convenience init(
        onGLib context: OpaquePointer?, priority: Int32 = 300, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        try self.init(
            guestOf: unsafe ForeignHost(lull_glib_host(context, priority)),
            inboxCapacity: inboxCapacity)
    }
}
