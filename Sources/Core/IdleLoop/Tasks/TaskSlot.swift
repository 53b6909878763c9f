internal import LullLibC

/// A lull in which a task may work.
///
/// It's returned by ``MainLoop/idle()``. It's valid until its task next waits, or its slice of 2 ms
/// or the lull is over; then `isOver` is true, and the task waits for the next lull:
///
/// ```swift
/// while let page = pages.popLast() {
///     if slot.isOver { slot = await loop.idle() }
///     words.formUnion(page)
/// }
/// ```
public final class TaskSlot {
    let gate: AsyncGate
    private let tasks: LoopTasks
    /// Whether the waiting task is isolated to the main actor.
    private var isOnMainActor = false
    private var isCurrent = false
    /// The time at which the slice ends.
    private var sliceEnd = Instant.zero

    init(of tasks: LoopTasks) {
        self.tasks = tasks
        gate = AsyncGate(to: tasks.executor)
    }

    private var now: Instant {
        precondition(
            tasks.loop.isClosed || tasks.loop.isOnOwnThread, "a slot is used on its loop's thread")
        return tasks.loop.clock.now
    }

    /// Whether a slice of work should end now.
    public var isOver: Bool {
        let now = now
        return !isCurrent || now >= sliceEnd
    }

    /// Waits for the next lull, or until the task is cancelled.
    func wait() async {
        guard !tasks.loop.isClosed else { return await yield() }
        isOnMainActor = isMainActor(#isolation)
        let place = tasks.add(self)
        await gate.passUnlessCancelled(from: #isolation)
        tasks.remove(place)
    }

    /// Yields to other tasks, like `Task.yield`, which would leave the loop for the global pool.
    private func yield() async {
        gate.open()
        await gate.pass()
    }

    /// Resumes the waiting task for one slice; returns false if none waits any more.
    func run(in lull: borrowing IdleSlot) -> Bool {
        guard let job = gate.take() else { return false }
        isCurrent = true
        sliceEnd = min(lull.deadline, lull.now.advanced(by: .milliseconds(2)))
        // At once where it's isolated: by way of another executor, it would continue after the
        // slice.
        if isOnMainActor {
            tasks.runOnMainActor(job)
        } else {
            tasks.run(job)
        }
        isCurrent = false
        return true
    }
}

/// Returns whether an isolation is that of the main actor.
///
/// Inlined into an asynchronous function, the comparison makes the compiler of 6.3 fail.
@inline(never)
private func isMainActor(_ isolation: (any Actor)?) -> Bool { isolation === MainActor.shared }
