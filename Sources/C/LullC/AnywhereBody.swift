internal import CLull
internal import IdleLoop

/// The body of a C program's job that any thread may call.
///
/// One thread at a time has it, as its queue promises. What the threads share is atomic.
@safe
final class AnywhereBody: Sendable {
    private nonisolated(unsafe) let body: UnsafeMutablePointer<lull_body>

    init(_ run: @escaping JobBody, _ key: UInt64, _ context: UnsafeMutableRawPointer?) {
        unsafe body = .allocate(capacity: 1)
        unsafe body.initialize(
            to: lull_body(run: run, key: key, context: context, state: 0, process: 0))
    }

    deinit {
        unsafe body.deallocate()
    }

    func run(in slot: borrowing IdleSlot) -> lull_progress {
        unsafe withUnsafePointer(to: slot) { slot in unsafe lull_body_run(body, slot) }
    }

    /// Ends it: it isn't called any more, but a lane may be inside.
    func end() {
        unsafe lull_body_end(body)
    }

    /// Whether a lane is inside.
    var isBusy: Bool { unsafe lull_body_is_busy(body) }

    /// Waits until no lane is inside.
    func wait() {
        unsafe lull_body_wait(body)
    }
}

/// Jobs that have ended while lanes were inside their bodies.
///
/// Their ends are told when the lanes have left, as the program frees what a body uses then.
struct LeavingJobs {
    private typealias Job = (body: AnywhereBody, tell: () -> Void)

    private var jobs: [Job] = []

    /// Ends a body; returns whether its end can be told now, or else keeps `tell`.
    mutating func end(_ body: AnywhereBody, _ tell: @escaping () -> Void) -> Bool {
        body.end()
        guard body.isBusy else { return true }
        jobs.append((body, tell))
        return false
    }

    /// Removes the jobs whose bodies lanes have left, or all after waiting for that, and returns what
    /// tells their ends.
    mutating func take(waiting: Bool = false) -> [() -> Void] {
        var left: [() -> Void] = []
        jobs.removeAll { job in
            if waiting { job.body.wait() }
            guard !job.body.isBusy else { return false }
            left.append(job.tell)
            return true
        }
        return left
    }
}
