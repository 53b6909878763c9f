import CLullLibevent
import CLull
import LullC
import Synchronization
import Testing

/// What lull.h promises, from Swift, where the sanitizers look on; Tests/C/CHosts does it in C.
struct HeaderTests {
    @Test func `jobs run in lulls, and each ends once`() throws {
        let host = try CHost()
        defer { host.close() }
        for key in 1...3 { #expect(host.submit(UInt64(key)) == LULL_OK) }
        #expect(host.submit(2) == LULL_JOINED)
        host.dispatch()
        #expect(host.runs == [1, 2, 3])
        #expect(host.ends == Array(repeating: LULL_END_DONE, count: 4))
    }

    @Test func `a job may say anything, and what isn't known is a failure`() throws {
        let host = try CHost()
        defer { host.close() }
        unsafe host.onRun = { _ in lull_progress(rawValue: 77) }
        host.submit(1)
        host.dispatch()
        #expect(host.ends == [LULL_END_FAILED])
    }

    @Test func `a lull is over when its callback is`() throws {
        let host = try CHost()
        defer { host.close() }
        var slot: OpaquePointer?
        unsafe host.onRun = {
            unsafe slot = $0
            #expect(unsafe lull_slot_is_over($0) == 0)
            #expect(unsafe lull_slot_remaining($0) > 0)
            #expect(unsafe lull_slot_did_time_out($0) == 0)
            return LULL_DONE
        }
        host.submit(1)
        host.dispatch()
        #expect(unsafe lull_slot_is_over(slot) == LULL_STALE.rawValue)
        #expect(unsafe lull_slot_remaining(slot) == Int64(LULL_STALE.rawValue))
    }

    @Test func `a loop isn't closed from inside its callbacks`() throws {
        let host = try CHost()
        var answers: [lull_status] = []
        unsafe host.onRun = { _ in
            answers.append(unsafe lull_close(host.loop))
            return LULL_DONE
        }
        host.onEnd = { answers.append(unsafe lull_close(host.loop)) }
        host.submit(1)
        host.dispatch()
        host.submit(2)
        #expect(unsafe lull_cancel(host.queue, 2) == LULL_OK)
        host.submit(3)
        host.onEnd = { answers.append(host.submit(4)) }
        host.close()
        #expect(answers == [LULL_BUSY, LULL_BUSY, LULL_BUSY, LULL_STALE])
        #expect(host.ends == [LULL_END_DONE, LULL_END_CANCELLED, LULL_END_CANCELLED])
        #expect(unsafe lull_close(host.loop) == LULL_STALE)
    }

    @Test func `a queue may be closed by the end of a job that asked for its own key`() throws {
        let host = try CHost()
        defer { host.close() }
        unsafe host.onRun = { _ in
            #expect(host.submit(1) == LULL_FOLLOWS)
            return LULL_DONE
        }
        var answers: [lull_status] = []
        host.onEnd = { answers.append(unsafe lull_queue_close(host.queue)) }
        host.submit(1)
        host.dispatch()
        #expect(host.runs == [1])
        #expect(host.ends == [LULL_END_DONE, LULL_END_CANCELLED])
        // That of the job taken back is the first to return.
        #expect(answers == [LULL_STALE, LULL_OK])
    }

    @Test func `a queue that its own job closes ends there`() throws {
        let host = try CHost()
        defer { host.close() }
        unsafe host.onRun = { _ in
            #expect(unsafe lull_queue_close(host.queue) == LULL_OK)
            #expect(unsafe lull_queue_close(host.queue) == LULL_STALE)
            return LULL_AGAIN
        }
        host.submit(1)
        host.submit(2)
        host.dispatch()
        #expect(host.runs == [1])
        #expect(host.ends == [LULL_END_CANCELLED, LULL_END_CANCELLED])
    }

    @Test func `a loop's end tells what was given back, and when it's over`() throws {
        let host = try CHost()
        defer { host.close() }
        host.submit(1)
        host.submit(2)
        let context = unsafe Unmanaged.passUnretained(host).toOpaque()
        let status = unsafe lull_loop_shutdown(
            host.loop, 0,
            { report, context in
                guard let report = unsafe report?.pointee else { return }
                let keys = unsafe UnsafeBufferPointer(
                    start: report.returned, count: report.returned_count)
                unsafe CHost.of(context)?.returned += unsafe Array(keys)
            },
            { _, context in
                guard let host = unsafe CHost.of(context) else { return }
                #expect(host.submit(3) == LULL_STALE)
                host.isOver = true
            }, context)
        #expect(status == LULL_OK)
        #expect(host.isOver)
        #expect(host.returned == [1, 2])
        #expect(host.ends == [LULL_END_CANCELLED, LULL_END_CANCELLED])
        host.dispatch()
    }

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

    @Test func `timers and callbacks before idle leave when they're told to`() throws {
        let host = try CHost()
        var timer: OpaquePointer?
        var observer: OpaquePointer?
        #expect(
            unsafe lull_timer_new(
                host.loop, .max, .max, .max, { _, _ in }, nil, &timer) == LULL_OK)
        #expect(
            unsafe lull_before_idle(
                host.loop, 0, LULL_MODE_ALL, { _, _ in LULL_NOTHING }, nil, &observer) == LULL_OK)
        #expect(unsafe lull_timer_cancel(observer) == LULL_INVALID)
        #expect(unsafe lull_timer_cancel(timer) == LULL_OK)
        #expect(unsafe lull_timer_cancel(timer) == LULL_STALE)
        host.dispatch()
        host.close()
        #expect(unsafe lull_observer_cancel(observer) == LULL_STALE)
    }
}
