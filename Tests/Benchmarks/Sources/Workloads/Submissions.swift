import CWorkloads

/// M5: round trips from another thread to the loop.
@safe public final class Submissions: Sendable {
    // One thread at a time has it.
    nonisolated(unsafe) private let submissions = UnsafeMutablePointer<CWorkloads.submissions>
        .allocate(capacity: 1)
    // Set before the other thread starts.
    nonisolated(unsafe) private var submit: () -> Void = {}

    /// Round trips that begin with `start`.
    public init() {}

    deinit { unsafe submissions.deallocate() }

    /// Pins the calling thread, the loop's, to one core, and starts another on another core.
    ///
    /// There `submit` is called, and shall make the loop call `answer`.
    public func start(submit: @escaping @Sendable () -> Void) {
        unsafe self.submit = submit
        unsafe submissions_start(
            submissions,
            { unsafe Unmanaged<Submissions>.fromOpaque($0!).takeUnretainedValue().submit() },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// What each submission does on the loop; false after the last one.
    public func answer() -> Bool { unsafe submissions_answer(submissions) }

    /// Prints the figures, as M5's or another's.
    public func report(as workload: String = "M5", _ variant: String = "round trip") {
        unsafe submissions_report_as(submissions, workload, variant)
    }
}
