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
    private(set) var ends: [lull_end] = []

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
        unsafe job.run = { _, _, _ in LULL_DONE }
        unsafe job.end = { _, end, context in unsafe CHost.of(context)?.ends.append(end) }
        return unsafe lull_submit(queue, &job)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CHost? {
        unsafe context.map { unsafe Unmanaged<CHost>.fromOpaque($0).takeUnretainedValue() }
    }
}
