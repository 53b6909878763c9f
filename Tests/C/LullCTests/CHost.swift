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
    var ends: [lull_end] = []

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

    /// Submits a job of three slices that may run anywhere, with a context that its end frees.
    func submitAnywhere(_ key: UInt64) {
        var job = unsafe lull_job()
        unsafe lull_job_init(&job, MemoryLayout<lull_job>.size)
        unsafe job.key = key
        unsafe job.context = Unmanaged.passRetained(Work(of: self)).toOpaque()
        unsafe job.run = { _, _, context in
            guard let work = unsafe Work.of(context) else { return LULL_FAILED }
            work.slices += 1
            return work.slices < 3 ? LULL_AGAIN : LULL_DONE
        }
        unsafe job.end = { _, end, context in
            guard let work = unsafe Work.of(context) else { return }
            if end == LULL_END_DONE, work.slices != 3 { return }
            work.host.ends.append(end)
            work.slices = 0
            unsafe Unmanaged.passUnretained(work).release()
        }
        #expect(unsafe lull_submit_anywhere(queue, &job) == LULL_OK)
    }

    /// What a job that may run anywhere has to itself.
    private final class Work {
        let host: CHost
        var slices = 0

        init(of host: CHost) { self.host = host }

        static func of(_ context: UnsafeMutableRawPointer?) -> Work? {
            unsafe context.map { unsafe Unmanaged<Work>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> CHost? {
        unsafe context.map { unsafe Unmanaged<CHost>.fromOpaque($0).takeUnretainedValue() }
    }
}
