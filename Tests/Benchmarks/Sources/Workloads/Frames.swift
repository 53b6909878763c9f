import CWorkloads

/// M7: frames due on a fixed grid, beside endless idle jobs of 0.2 to 6 ms.
@safe public final class Frames: Sendable {
    // One thread at a time has it.
    nonisolated(unsafe) private let frames = UnsafeMutablePointer<CWorkloads.frames>.allocate(
        capacity: 1)

    /// An idle job: how long it takes, and how long its owner would say it takes.
    public struct Job: Sendable {
        /// Nanoseconds that it takes.
        public let duration: UInt64
        /// Nanoseconds that its owner would say: off by up to a fifth.
        public let costHint: UInt64
    }

    /// "60 Hz" and "120 Hz".
    public static let variants = 0..<Int(FRAMES_VARIANTS)

    /// One variant.
    public init(variant: Int) {
        unsafe frames_open(frames, Int32(variant))
    }

    deinit { unsafe frames.deallocate() }

    /// Sets `nextDue` to one period from now; there the grid begins.
    public func start() { unsafe frames_start(frames) }

    /// When the next frame is due, on the monotonic clock in nanoseconds.
    public var nextDue: UInt64 { unsafe frames_next_due_ns(frames) }

    /// The period in nanoseconds.
    public var period: UInt64 { unsafe frames.pointee.period_ns }

    /// The timer's handler; false once all frames were due.
    public func handle() -> Bool { unsafe frames_handle(frames) }

    /// Takes the next job off the list, which has no end.
    public func takeJob() -> Job {
        let job = unsafe frames_take_job(frames)
        return Job(duration: job.duration_ns, costHint: job.cost_hint_ns)
    }

    /// Runs a job; false if all frames were due half a second ago, which ends loops whose timer
    /// is never served.
    public func run(_ job: Job) -> Bool {
        unsafe frames_run(
            frames, idle_job(duration_ns: job.duration, cost_hint_ns: job.costHint))
    }

    /// Takes a job and runs it.
    public func runJob() -> Bool { unsafe frames_run_job(frames) }

    /// Prints the figures.
    public func report() { unsafe frames_report(frames) }
}
