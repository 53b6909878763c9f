import Dispatch
@testable import IdleLoop
import Synchronization
import Testing

/// Jobs whose first part runs off the loop.
struct WorkerTests {
    struct Load: Sendable {
        var now = 0
        var most = 0
    }

    @Test func `a place that falls free in a long job is taken at once`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        let pool = try WorkerPool(width: 1, on: loop)
        var arrived: [Int64] = []
        for key in 0..<3 {
            queue.submit(key, rank: key, on: pool, cost: .milliseconds(10), work: { key }) { _ in
                { _ in
                    arrived.append(time.now.nanoseconds / 1_000_000)
                    return .done
                }
            }
        }
        queue.submit(99) { _ in
            time.charge(.milliseconds(35))
            return .done
        }
        try loop.run()
        #expect(arrived == [35, 35, 35])
    }

    @Test func `a result that is there when its job is cancelled isn't lost`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        let pool = try WorkerPool(width: 1, on: loop)
        var kept: [Int] = []
        queue.submit(1, on: pool, cost: .milliseconds(10), work: { 17 }) { output in
            kept.append(output)
            return { _ in .done }
        }
        loop.schedule(at: .milliseconds(5)) {
            time.charge(.milliseconds(10))  // the work is finished, and has not arrived
            queue.cancel(1)
        }
        try loop.run()
        #expect(kept == [17])
        #expect(queue.statistics.cancelled == 1)
        #expect(queue.statistics.done == 0)
    }

    @Test func `threads do the work and the loop hears of it`() throws {
        let loop = try MainLoop()
        let queue = IdleQueue<Int>(on: loop, configuration: .roomy)
        let pool = try WorkerPool(width: 4, on: loop)
        let atOnce = Guarded(Load())
        var sum = 0
        var ended = 0
        for key in 0..<200 {
            queue.submit(
                key, on: pool,
                onEnd: { _ in
                    ended += 1
                    if ended == 200 { loop.stop() }
                },
                work: {
                    atOnce.withLock { state in
                        state.now += 1
                        state.most = max(state.most, state.now)
                    }
                    defer { atOnce.withLock { $0.now -= 1 } }
                    return (0..<2000).reduce(key) { $0 &+ $1 % 2 } - 1000
                }
            ) { output in
                { _ in
                    sum += output
                    return .done
                }
            }
        }
        for key in stride(from: 0, to: 200, by: 10) { queue.cancel(key) }
        try loop.run()
        #expect(sum == (0..<200).filter { $0 % 10 != 0 }.reduce(0, +))
        #expect(queue.statistics.isConserved)
        #expect(atOnce.withLock { $0.most } <= 4)
    }

    // MARK: - A full inbox

    @Test func `a result arrives although the inbox is full`() throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time), inboxCapacity: 1)
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = try WorkerPool(width: 2, on: loop)
        let inbox = loop.inbox
        for moment in [10, 20] {
            time.at(.milliseconds(moment)) {
                #expect(inbox.post { _ in })
                #expect(!inbox.post { _ in })
            }
        }
        for key in 1...4 {
            queue.submit(key, on: pool, cost: .milliseconds(10), work: { key }) { _ in
                { _ in .done }
            }
        }
        try loop.run()
        #expect(queue.statistics.done == 4)
        #expect(queue.isEmpty)
    }

    @Test(arguments: HostKind.allCases)
    func `nor does a full inbox keep a host's dispatch from ending`(kind: HostKind) throws {
        let host = HostBase(kind)
        let loop = try host.adopt(inboxCapacity: 1)
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = try WorkerPool(width: 1, on: loop)
        let second = Gate()
        // Only so that a test ends that has failed.
        let end = loop.schedule(after: .seconds(20)) { host.breakLoop() }
        loop.schedule(after: .zero) {
            while loop.inbox.post({ _ in }) {}
            for key in 1...2 {
                queue.submit(
                    key, rank: key, on: pool,
                    onEnd: { _ in if queue.isEmpty { end.cancel() } },
                    work: { if key == 2 { second.open() } }
                ) { _ in { _ in .done } }
            }
            second.wait()  // the one thread has told of the first, or tried to
        }
        #expect(host.run() == 1)
        #expect(queue.statistics.done == 2)
    }

    @Test func `as many run at once as the pool is wide, however wide it is`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop, configuration: .roomy)
        let pool = try WorkerPool(width: 100, on: loop)
        for key in 0..<250 {
            queue.submit(key, on: pool, cost: .milliseconds(1), work: {}) { _ in { _ in .done } }
        }
        try loop.run()
        #expect(queue.statistics.done == 250)
        #expect(time.now == .zero.advanced(by: .milliseconds(3)))
    }

    @Test(arguments: HostKind.allCases)
    func `what was cancelled while a thread does it keeps no host's dispatch`(
        kind: HostKind
    ) throws {
        let host = HostBase(kind)
        let loop = try host.adopt()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = try WorkerPool(width: 1, on: loop)
        let (begun, gate) = (Gate(), Gate())
        let end = loop.schedule(after: .seconds(20)) { host.breakLoop() }
        loop.schedule(after: .zero) {
            queue.submit(
                1, on: pool,
                work: {
                    begun.open()
                    gate.wait()
                }
            ) { _ in { _ in .done } }
            begun.wait()
            queue.cancel(1)
            end.cancel()
        }
        #expect(host.run() == 1)
        #expect(queue.statistics.cancelled == 1)
        gate.open()
    }

    #if DEBUG
    @Test func `a thread that ends as work comes leaves it to another`() throws {
        let loop = try MainLoop()
        let queue = IdleQueue<Int>(on: loop)
        let pool = try WorkerPool(width: 2, on: loop)
        pool.lanes.threads?.patience.store(1, ordering: .relaxed)
        var count = 0
        func submit() {
            queue.submit(
                count, on: pool,
                onEnd: { _ in
                    count += 1
                    guard count < 200 else { return loop.stop() }
                    loop.schedule(after: .microseconds(900 + 2 * count)) { submit() }
                }, work: {}
            ) { _ in { _ in .done } }
        }
        submit()
        try loop.run()
        #expect(queue.statistics.done == 200)
    }
    #endif

    /// Where a thread waits for another.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        func open() { semaphore.signal() }
        func wait() { semaphore.wait() }
    }
}
