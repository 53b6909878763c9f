import CWorkloads

/// M2: a descriptor that is written to each millisecond, beside endless idle jobs.
@safe public final class Foreground: Sendable {
    // One thread at a time has it.
    nonisolated(unsafe) private let fore = UnsafeMutablePointer<foreground>.allocate(capacity: 1)

    /// "200 us jobs", "2 ms jobs" and "10 sources".
    public static let variants = 0..<Int(FOREGROUND_VARIANTS)

    /// One variant.
    public init(variant: Int) {
        unsafe foreground_open(fore, Int32(variant))
    }

    deinit { unsafe fore.deallocate() }

    /// What the loop shall wait for being readable.
    public var descriptor: Int32 { unsafe fore.pointee.descriptor }

    /// How many idle sources, each with endless jobs, the loop shall have.
    public var sources: Int { unsafe Int(fore.pointee.sources) }

    /// Starts the thread that writes.
    public func start() { unsafe foreground_start(fore) }

    /// The descriptor's handler; false once there are samples enough.
    public func read() -> Bool { unsafe foreground_read(fore) }

    /// What the handler does if the loop has read the times for it.
    public func received(_ times: [UInt64]) -> Bool {
        unsafe foreground_received(fore, times, Int32(times.count))
    }

    /// One idle job; false once it takes too long, which ends loops that never poll.
    public func job() -> Bool { unsafe foreground_job(fore) }

    /// Ends the writer, prints the figures and closes the descriptor.
    public func report() { unsafe foreground_report(fore) }
}
