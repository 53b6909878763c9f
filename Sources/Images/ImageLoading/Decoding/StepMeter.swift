import LullLibC

/// A meter that adds up the processor time of a decoder's steps.
///
/// A system call around each step would cost a considerable part of a short step. The processor
/// time is read once for several steps, and the elapsed time within the steps is counted if it is
/// less: the thread may have done other work between them, or have been suspended within them.
/// The sum is never less than the processor time of the steps. Times are in nanoseconds, as this is
/// done for each step.
struct StepMeter {
    private static let stepsAtOnce = 16

    /// The time of a clock; that of the processor costs a system call to read, the other some 30 ns.
    private let time: (clockid_t) -> Int
    private var counted = 0
    /// The elapsed time within the steps since the processor time was read.
    private var elapsed = 0
    private var steps = 0
    private var processorStart = 0
    private var stepStart = 0

    init(_ time: @escaping (clockid_t) -> Int = Self.systemTime) { self.time = time }

    private static func systemTime(_ clock: clockid_t) -> Int {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return 1_000_000_000 * time.tv_sec + time.tv_nsec
    }

    /// Begins to measure a step.
    mutating func begin() {
        if steps == 0 { processorStart = time(CLOCK_THREAD_CPUTIME_ID) }
        stepStart = time(CLOCK_MONOTONIC)
    }

    /// Ends the measurement of a step.
    mutating func end() {
        elapsed += max(0, time(CLOCK_MONOTONIC) - stepStart)
        steps += 1
        if steps == Self.stepsAtOnce { flush() }
    }

    /// Ends the measurement on this thread: the next step may be on another, with a clock of its own.
    mutating func leaveThread() {
        if steps > 0 { flush() }
    }

    /// The time of all steps; steps since the last reading count by their elapsed time.
    var sum: Duration { .nanoseconds(counted + elapsed) }

    /// Returns the time of all steps if it is more than `limit`, else nil.
    mutating func sum(above limit: Int) -> Int? {
        guard counted + elapsed > limit else { return nil }
        flush()
        return counted > limit ? counted : nil
    }

    private mutating func flush() {
        guard steps > 0 else { return }
        counted += min(elapsed, max(0, time(CLOCK_THREAD_CPUTIME_ID) - processorStart))
        elapsed = 0
        steps = 0
    }
}
