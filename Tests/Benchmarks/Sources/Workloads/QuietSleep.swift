import CWorkloads

/// M6: a loop that has had idle work and now sleeps until another thread wakes it.
@safe public final class QuietSleep: Sendable {
    // One thread at a time has it.
    nonisolated(unsafe) private let quiet = UnsafeMutablePointer<CWorkloads.quiet>.allocate(
        capacity: 1)
    nonisolated(unsafe) private var wake: () -> Void = {}  // set before the loop sleeps

    /// A sleep of the loop's thread.
    public init() { unsafe quiet_open(quiet) }

    deinit { unsafe quiet.deallocate() }

    /// One idle job; false when it was the last.
    ///
    /// Then the loop shall have nothing armed, and `begin` be called.
    public func job() -> Bool { unsafe quiet_job(quiet) }

    /// To be called on the loop's thread before it sleeps.
    ///
    /// `wake` is called on another thread, and shall make the loop call `end`.
    public func begin(wake: @escaping @Sendable () -> Void) {
        unsafe self.wake = wake
        unsafe quiet_begin(
            quiet,
            { unsafe Unmanaged<QuietSleep>.fromOpaque($0!).takeUnretainedValue().wake() },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends the measurement, on the loop's thread.
    public func end() { unsafe quiet_end(quiet) }

    /// Prints the figures.
    public func report() { unsafe quiet_report(quiet) }
}
