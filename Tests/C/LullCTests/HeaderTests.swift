import CLullLibevent
import CLull
import LullC
import Synchronization
import Testing

/// What lull.h promises to several threads, where their sanitizer looks on; Tests/C/CHosts has the
/// rest.
struct HeaderTests {
    @Test func `another thread is refused, and nothing is touched`() throws {
        let host = try CHost()
        defer { host.close() }
        host.submit(1)
        let (loop, queue) = unsafe (UInt(bitPattern: host.loop), UInt(bitPattern: host.queue))
        let thread = Started {
            for _ in 0..<1000 {
                let loop = unsafe OpaquePointer(bitPattern: loop)
                let queue = unsafe OpaquePointer(bitPattern: queue)
                #expect(unsafe lull_cancel(queue, 1) == LULL_WRONG_THREAD)
                #expect(unsafe lull_count(queue) == Int64(LULL_WRONG_THREAD.rawValue))
                #expect(unsafe lull_queue_close(queue) == LULL_WRONG_THREAD)
                #expect(unsafe lull_poke(loop) == LULL_WRONG_THREAD)
                #expect(unsafe lull_close(loop) == LULL_WRONG_THREAD)
            }
        }
        for key in 0..<1000 { host.submit(UInt64(key)) }
        thread.wait()
        host.dispatch()
        #expect(host.ends.count == 1001)
    }

    @Test func `a context is the job's until its end, whoever runs it and whatever ends it`() throws
    {
        for round in 0..<60 {
            let host = try CHost()
            for key in 0..<20 { host.submitAnywhere(UInt64(key)) }
            for _ in 0..<round % 4 { unsafe event_base_loop(host.base, EVLOOP_NONBLOCK) }
            switch round % 3 {
            case 0: #expect(unsafe lull_cancel_all(host.queue) == LULL_OK)
            case 1: #expect(unsafe lull_queue_close(host.queue) == LULL_OK)
            default: if round % 2 == 0 { host.dispatch() }
            }
            host.close()
            #expect(host.ends.count == 20)
        }
    }

    /// How often posts were called.
    private static let calls = Atomic(0)

    @Test func `what is posted is called once, also where the loop is being closed`() throws {
        for round in 0..<20 {
            Self.calls.store(0, ordering: .relaxed)
            let host = try CHost()
            let loop = unsafe UInt(bitPattern: host.loop)
            let taken = Taken()
            let threads = (0..<8).map { _ in
                Started {
                    for _ in 0..<500 {
                        let status = unsafe lull_post(
                            OpaquePointer(bitPattern: loop),
                            { _, _ in HeaderTests.calls.add(1, ordering: .relaxed) }, nil)
                        if status == LULL_OK { taken.count.add(1, ordering: .relaxed) }
                    }
                }
            }
            host.submit(1)
            for _ in 0..<round { unsafe event_base_loop(host.base, EVLOOP_NONBLOCK) }
            host.close()
            for thread in threads { thread.wait() }
            let count = taken.count.load(ordering: .relaxed)
            #expect(Self.calls.load(ordering: .relaxed) == count)
        }
    }

    private final class Taken: Sendable {
        let count = Atomic(0)
    }
}
