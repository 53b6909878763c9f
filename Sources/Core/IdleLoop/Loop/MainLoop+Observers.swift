// Observers of the loop's activities, and workers before idle.
extension MainLoop {
    /// Calls `body` at each activity of this kind, in the given order among other observers, while
    /// the loop is in one of `modes`.
    ///
    /// It costs nothing while the loop sleeps. Observers may be added and cancelled from inside an
    /// observer.
    @discardableResult
    public func observe(
        _ activity: Activity, order: Int = 0, modes: LoopMode = .all, repeats: Bool = true,
        _ body: @escaping (Activity) -> Void
    ) -> Observer {
        let observer = Observer(
            among: turn.observers, activity, order: order, modes: modes, repeats: repeats, body)
        if isClosed { observer.cancel() } else { turn.observers.add(observer) }
        context.wantIdle()
        return observer
    }

    /// Calls `body` each time the loop is about to sleep, so that it can do some work instead.
    ///
    /// Of several workers, queues among them, one works between two polls, so that a ready event
    /// waits for one only. It's the one that has had the least time for its weight, which is one for
    /// a closure. On an adopted base, call `poke()` when work arises that the loop can't see.
    @discardableResult
    public func beforeIdle(
        order: Int = 0, modes: LoopMode = .all,
        _ body: @escaping (borrowing IdleSlot) -> IdleResult
    ) -> IdleWorker {
        let worker = ClosureWorker(on: context, body)
        if !turn.workers.add(worker, order: order, modes: modes) { worker.cancel() }
        context.wantIdle()
        return worker
    }
}
