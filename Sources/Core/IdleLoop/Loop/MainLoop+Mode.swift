internal import LullLibC

extension MainLoop {
    /// The mode of the loop; observers and queues state the modes in which they run.
    ///
    /// The loop is in one mode at a time. Work that was resting continues when the loop is in one
    /// of its modes again. Traps if the new mode isn't a single one.
    public var mode: LoopMode {
        get { context.state.mode }
        set {
            precondition(
                newValue == .default || newValue == .tracking, "a loop is in one mode at a time")
            context.state.tracking.isOwn = false
            enter(newValue)
        }
    }

    /// Notes that some content moves: if it is the first, the loop is in `tracking` until
    /// ``endTracking()`` was called as often.
    ///
    /// A mode that is set meanwhile stays, and one that was `tracking` before.
    package func beginTracking() {
        context.state.tracking.count += 1
        guard context.state.tracking.count == 1, mode == .default else { return }
        context.state.tracking.isOwn = true
        enter(.tracking)
    }

    /// Notes that some content moves no more.
    package func endTracking() {
        context.state.tracking.count -= 1
        guard context.state.tracking.count == 0, context.state.tracking.isOwn else { return }
        context.state.tracking.isOwn = false
        enter(.default)
    }

    private func enter(_ mode: LoopMode) {
        guard mode != context.state.mode else { return }
        context.state.mode = mode
        for worker in turn.workers.all { worker.modeChanged() }
        context.wantIdle()
    }
}
