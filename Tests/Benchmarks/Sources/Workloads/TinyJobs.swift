import CWorkloads

/// M1: a supply of no-op idle jobs, and how many of them a pass may run.
///
/// Like its neighbours it is not safe for several threads at a time; it is `Sendable` because a
/// loop's interface may ask for that, where all happens on the loop's thread.
@safe public final class TinyJobs: Sendable {
    // One thread at a time has it.
    nonisolated(unsafe) private let jobs = UnsafeMutablePointer<tiny_jobs>.allocate(capacity: 1)

    /// "1 per pass", "32 per pass" and "50 us budget".
    public static let variants = 0..<Int(TINY_JOBS_VARIANTS)

    /// One variant.
    public init(variant: Int) {
        unsafe tiny_jobs_open(jobs, Int32(variant), UInt64(TINY_JOBS_COUNT))
    }

    deinit { unsafe jobs.deallocate() }

    /// How many jobs a pass may run, unless it has a budget.
    public var batch: Int { unsafe Int(jobs.pointee.batch) }

    /// How many nanoseconds of jobs a pass may run; 0 is no budget.
    public var budget: UInt64 { unsafe jobs.pointee.budget_ns }

    /// The time counts from here.
    public func start() { unsafe tiny_jobs_start(jobs) }

    /// Runs as many jobs as a pass may; false once all have run.
    public func pass() -> Bool { unsafe tiny_jobs_pass(jobs) }

    /// Runs one job, for loops that batch by themselves; false once all have run.
    public func runNext() -> Bool {
        unsafe tiny_jobs_run_next(jobs)
        if unsafe jobs.pointee.left > 0 { return true }
        unsafe jobs.pointee.end_ns = now_ns()
        return false
    }

    /// Prints the figures.
    public func report() { unsafe tiny_jobs_report(jobs) }

    /// A descriptor that never becomes readable, so that the loop has something to poll.
    public static func quietDescriptor() -> Int32 { quiet_descriptor() }
}
