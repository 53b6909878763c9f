import CWorkloads

/// M5: round trips from another thread to the loop.
@safe public final class Submissions: @unchecked Sendable {
    private let submissions = UnsafeMutablePointer<CWorkloads.submissions>.allocate(capacity: 1)
    private var submit: () -> Void = {}

    /// Round trips that begin with `start`.
    public init() {}

    deinit { unsafe submissions.deallocate() }

    /// Pins the calling thread, the loop's, to one core, and starts another on another core.
    ///
    /// There `submit` is called, and shall make the loop call `answer`.
    public func start(submit: @escaping @Sendable () -> Void) {
        self.submit = submit
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
