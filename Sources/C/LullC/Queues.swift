public import CLull
internal import IdleLoop
internal import LullCalls

/// Fills options with the defaults; see lull.h.
@c @implementation
public func lull_queue_options_init(
    _ options: UnsafeMutablePointer<lull_queue_options>!, _ size: Int
) {
    let configuration = QueueConfiguration()
    var defaults = unsafe lull_queue_options()
    unsafe defaults.size = size
    unsafe defaults.limit = Int64(configuration.limit)
    unsafe defaults.slice = Int64(orNone: configuration.slice)
    unsafe defaults.batch = Int64(orNone: configuration.batch)
    unsafe defaults.max_deferral = Int64(orNone: configuration.maxDeferral)
    unsafe defaults.modes = LULL_MODE_ALL
    unsafe defaults.weight = Int32(configuration.weight)
    unsafe defaults.order = 1_000_000
    unsafe defaults.ends_slices_when_due = configuration.endsSlicesWhenDue ? 1 : 0
    unsafe fill(options, size, with: &defaults)
}

/// Creates a queue; see lull.h.
@c @implementation
public func lull_queue_new(
    _ loop: OpaquePointer!, _ options: UnsafePointer<lull_queue_options>!,
    _ queue: UnsafeMutablePointer<OpaquePointer?>!
) -> lull_status {
    unsafe queue?.pointee = nil
    return status { () throws(StatusError) in
        let object = unsafe try CLoop.named(loop)
        let queue = try unsafe given(queue, "queue")
        let chosen = unsafe try queueOptions(options, "options")
        let configuration = unsafe try QueueConfiguration(chosen, "options")
        let made = unsafe CQueue(on: object, configuration, order: Int(chosen.order))
        unsafe queue.pointee = try object.add(made, LULL_KIND_QUEUE).pointer
        return LULL_OK
    }
}

/// Returns the options that C has given, or the defaults.
func queueOptions(
    _ options: UnsafePointer<lull_queue_options>?, _ name: String
) throws(StatusError) -> lull_queue_options {
    var chosen = unsafe lull_queue_options()
    unsafe lull_queue_options_init(&chosen, MemoryLayout<lull_queue_options>.size)
    if let options = unsafe options {
        unsafe try check(options, size: options.pointee.size, name)
        unsafe chosen = options.pointee
    }
    return unsafe chosen
}

/// Closes a queue; see lull.h.
@c @implementation
public func lull_queue_close(_ queue: OpaquePointer!) -> lull_status {
    unsafe remove(queue, LULL_KIND_QUEUE, CQueue.self)
}

/// Fills a struct with a queue's counts; see lull.h.
@c @implementation
public func lull_queue_get_statistics(
    _ queue: OpaquePointer!, _ statistics: UnsafeMutablePointer<lull_queue_statistics>!,
    _ size: Int
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CQueue.named(queue)
        let statistics = try unsafe given(statistics, "statistics")
        var counts = lull_queue_statistics(object.queue.statistics)
        unsafe fill(statistics, size, with: &counts)
        return LULL_OK
    }
}

extension lull_queue_statistics {
    fileprivate init(_ counts: QueueStatistics) {
        self.init()
        accepted = UInt64(counts.accepted)
        joined = UInt64(counts.joined)
        done = UInt64(counts.done)
        skipped = UInt64(counts.skipped)
        failed = UInt64(counts.failed)
        cancelled = UInt64(counts.cancelled)
        dropped = UInt64(counts.dropped)
        waiting = UInt64(counts.waiting)
        running = UInt64(counts.running)
        slices = UInt64(counts.slices)
        longest = UInt64(counts.longest)
        overruns = UInt64(counts.overruns)
        held_back = UInt64(counts.heldBack)
        timed_out = UInt64(counts.timedOut)
        longest_run = UInt64(max(0, counts.longestJob.wholeNanoseconds))
        longest_wait = UInt64(max(0, counts.longestWait.wholeNanoseconds))
    }
}
