#if NIO
public import IdleLoop
public import NIOCore

extension MainLoop {
    /// Creates a loop that is a guest of an event loop of SwiftNIO, on whose thread this is
    /// called.
    ///
    /// The package's trait `NIO` brings it, and fetches SwiftNIO.
    ///
    /// NIO has no idle moment. Work runs after a round of its loop that was too short to have
    /// served a channel or a task, at the latest after 50 ms without one: one job, one slice, or
    /// 50 µs of tiny jobs before the next round. A request that is handled on the event loop's
    /// thread therefore waits for one of these; each time that it comes back from another thread,
    /// it may wait for another. When NIO's own timers are due is not known. A watch of a
    /// descriptor, a signal or a child is served by a thread that sleeps in the kernel, started
    /// with the first of them.
    ///
    /// Everything on the loop runs on the event loop's thread: NIO's `inEventLoop` is true in its
    /// callbacks and tasks, and a ``/IdleLoop/LoopActor`` that it serves may be assumed in NIO's
    /// handlers. Close or release the loop on that thread, before the group is shut down. A forked
    /// child can't use it, since it doesn't have NIO's threads. On an `EmbeddedEventLoop`,
    /// everything but timers runs in its `run()`; a timer fires there once the machine's clock has
    /// also reached its time.
    ///
    /// Throws `notOnHostThread` on another thread, or the system's error. See
    /// ``/IdleLoop/MainLoop/init(on:inboxCapacity:)``.
    public convenience init(
        on eventLoop: any EventLoop, inboxCapacity: Int = 65_536
    ) throws(LoopError) {
        guard eventLoop.inEventLoop else { throw .notOnHostThread }
        try self.init(guestOf: try NIOHost(on: eventLoop), inboxCapacity: inboxCapacity)
    }
}
#endif
