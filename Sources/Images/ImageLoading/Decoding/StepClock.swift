import LullLibC

/// The clocks that measure a decoder's time, in nanoseconds.
struct StepClock {
    /// A function that returns the elapsed time.
    var elapsed: () -> Int
    /// A function that returns the processor time of the calling thread.
    var processor: () -> Int

    /// The clocks of the system; the first costs some 30 ns to read, the second a system call.
    static var system: StepClock {
        StepClock(elapsed: { read(CLOCK_MONOTONIC) }, processor: { read(CLOCK_THREAD_CPUTIME_ID) })
    }

    private static func read(_ clock: clockid_t) -> Int {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return 1_000_000_000 * time.tv_sec + time.tv_nsec
    }
}
