import CLullLibevent
import CLull
import LullC
import Testing

/// A host in C's words: a base, a loop, a queue, and what its callbacks were told.
@safe
final class CHost {
    let base: OpaquePointer
    let loop: OpaquePointer
    let queue: OpaquePointer
    var runs: [UInt64] = []
    var ends: [lull_end] = []
    /// The keys that a shutdown gave back, and whether all are told.
    var returned: [UInt64] = []
    var isOver = false
    /// What a job does besides; it says how that went.
    var onRun: (OpaquePointer?) -> lull_progress = { _ in LULL_DONE }
    var onEnd: () -> Void = {}

    init() throws {
        unsafe base = try unsafe #require(unsafe event_base_new())
        var loop: OpaquePointer?
        #expect(unsafe lull_adopt(base, &loop) == LULL_OK)
        unsafe self.loop = try unsafe #require(unsafe loop)
        var queue: OpaquePointer?
        #expect(unsafe lull_queue_new(loop, nil, &queue) == LULL_OK)
        unsafe self.queue = try unsafe #require(unsafe queue)
    }

    /// Closes the loop and frees the base.
    func close() {
        #expect(unsafe lull_close(loop) == LULL_OK)
        unsafe event_base_free(base)
        unsafe onRun = { _ in LULL_DONE }  // what they hold may hold the host
        onEnd = {}
    }

    /// Dispatches until nothing is left to do.
    func dispatch() {
        #expect(unsafe event_base_dispatch(base) == 1)
    }

    @discardableResult
    func submit(_ key: UInt64) -> lull_status {
        var job = unsafe lull_job()
        unsafe lull_job_init(&job, MemoryLayout<lull_job>.size)
        unsafe job.key = key
        unsafe job.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe job.run = { slot, key, context in
            let host = unsafe CHost.of(context)
            host?.runs.append(key)
            return unsafe host?.onRun(slot) ?? LULL_FAILED
        }
        unsafe job.end = { _, end, context in
            let host = unsafe CHost.of(context)
            host?.ends.append(end)
            host?.onEnd()
        }
        return unsafe lull_submit(queue, &job)
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> CHost? {
        unsafe context.map { unsafe Unmanaged<CHost>.fromOpaque($0).takeUnretainedValue() }
    }
}
