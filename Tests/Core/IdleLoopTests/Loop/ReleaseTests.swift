import CLoopHelpers
import IdleLoop
import TestSupport
import Testing

/// What was cancelled is let go of at once, whatever else there is.
struct ReleaseTests {
    private let live = LiveObjects()

    @Test func `a task that waits for lulls for ever takes no more memory`() async {
        await #expect(processExitsWith: .success) {
            let (loop, _) = try virtualLoop()
            let queue = IdleQueue<Int>(on: loop)
            var used: [Int] = []
            let clock = loop.taskClock
            let task = loop.task {
                for round in 1...3000 {
                    _ = await loop.idle()
                    try await clock.sleep(for: .milliseconds(1))
                    if round % 1000 == 0 { used.append(lull_allocated_bytes()) }
                }
                loop.stop()
            }
            try loop.run()
            queue.close()
            _ = task
            try #require(used.count == 3)
            // A round kept 88 bytes once.
            #expect(used[2] - used[1] < 16_000, "\(used)")
        }
    }

    /// An object that any thread may hold.
    private final class Held: Sendable {}

    @Test func `work that is taken back is let go of, begun or not`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = try WorkerPool(width: 1, on: loop)
        weak var begun: Held?
        weak var waiting: Held?
        weak var result: Held?
        func submit(_ key: Int, _ held: Held) {
            queue.submit(
                key, rank: key, on: pool, cost: .seconds(1),
                onEnd: { [object = live.make()] _ in _ = object },
                work: {
                    _ = held
                    return Held()
                }
            ) { [live, object = live.make()] output in
                _ = object
                result = output
                _ = live
                return { _ in .done }
            }
        }
        do {
            let (first, second) = (Held(), Held())
            (begun, waiting) = (first, second)
            submit(1, first)
            submit(2, second)
        }
        #expect(live.count == 4)
        loop.schedule(at: .milliseconds(500)) { [live] in
            #expect(queue.workStart(of: 1) != nil)
            #expect(queue.workStart(of: 2) == nil)
            queue.cancelAll()
            #expect(live.count == 0)
            #expect(begun == nil)
            #expect(waiting == nil)
        }
        try loop.run()
        #expect(result == nil)
        #expect(queue.statistics.cancelled == 2)
    }

    @Test(arguments: [0, 3, 50])
    func `a queue that has shut down holds no key`(milliseconds: Int) throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<CountedKey>(on: loop)
        for number in 0..<10 {
            queue.submit(CountedKey(number, live), cost: .milliseconds(1)) { _ in
                time.charge(.milliseconds(1))
                return .done
            }
        }
        var told = 0
        for _ in 0..<2 {
            queue.shutDown(within: .milliseconds(milliseconds)) { report in
                told += report.finished.count + report.returned.count
            }
        }
        try loop.run()
        #expect(told == (milliseconds == 0 ? 10 : 20))  // the first has ended when it returns
        #expect(live.count == 0)
        queue.checkInvariants()
    }
}
