import IdleLoop
import TestSupport
import Testing

struct OperationTests {
    private struct Trouble: Error {}

    private final class Silent: PendingOperation {
        var cancels = 0
        var orders: [String] = []
        func cancel() { cancels += 1 }
        func reprioritize(_ priority: Priority, rank: Int) { orders.append("\(priority) \(rank)") }
    }

    @Test func `what ends while it is being started has ended`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 1, on: loop)
        let silent = Silent()
        var log: [String] = []
        for key in 0..<3 {
            queue.submit(
                key, on: pool, onEnd: { log.append("\(key) \($0.word)") },
                start: { completion in
                    log.append("\(key) started")
                    completion(key == 1 ? .failure(Trouble()) : .success(key))
                    completion(.success(99))  // which nobody hears
                    return silent
                },
                then: { (value: Int) in
                    log.append("\(value)")
                    return { _ in .done }
                })
        }
        #expect(log.isEmpty)  // nothing is started inside the call that hands it in
        try loop.run()
        #expect(
            log == [
                "0 started", "1 started", "2 started", "0", "1 failed", "2", "0 done", "2 done",
            ])
        #expect(silent.cancels == 0)
        #expect(time.now == .zero)
        #expect(queue.statistics.isConserved)
    }

    @Test func `what has come so far is processed in the job's turn`() throws {
        let bench = try QueueBench()
        let pool = OperationPool(width: 3, on: bench.loop)
        for (key, priority) in [("low", Priority.low), ("high", .high), ("normal", .normal)] {
            bench.queue.submit(
                key, priority: priority, on: pool, onEnd: { bench.note("\(key) \($0.word)") },
                start: { completion in
                    bench.loop.schedule(at: .milliseconds(10)) {
                        var left = 2
                        completion.process { slot in
                            bench.note("\(key) has some")
                            bench.time.charge(slot.now.duration(to: slot.sliceEnd))
                            left -= 1
                            return left == 0 ? .done : .again
                        }
                        bench.queue.checkInvariants()
                    }
                    bench.loop.schedule(at: .milliseconds(50)) { completion(.success(key)) }
                    return Silent()
                },
                then: { (key: String) in
                    { _ in
                        bench.note("\(key) runs")
                        return .done
                    }
                })
        }
        bench.loop.schedule(at: .milliseconds(11)) { bench.submit("urgent", .highest) }
        bench.loop.schedule(at: .milliseconds(40)) { #expect(bench.queue.count == 3) }
        try bench.run()
        let order = ["high", "normal", "low"]
        #expect(
            bench.log == ["high has some", "urgent runs", "urgent done", "high has some"]
                + ["normal has some", "normal has some", "low has some", "low has some"]
                + order.flatMap { ["\($0) runs", "\($0) done"] })
        #expect(bench.queue.statistics.isConserved)
    }

    @Test func `an operation that has ended has nothing more to process`() throws {
        let bench = try QueueBench()
        let pool = OperationPool(width: 1, on: bench.loop)
        let pipe = NonblockingPipe()
        var completion: OperationCompletion<Int>?
        var watch: Watch?
        watch = try bench.loop.watch(pipe.reading, for: .readable) { _ in
            watch?.cancel()
            completion?(.success(1))
            completion?.process { _ in
                bench.note("too late")
                return .done
            }
        }
        bench.time.at(.milliseconds(5)) { pipe.put() }
        // It has timed out by then, so that it wouldn't wait for a lull either.
        bench.queue.submit(
            "a", on: pool, timeout: .zero,
            start: {
                completion = $0
                return Silent()
            },
            then: { (_: Int) in
                { _ in
                    bench.note("runs")
                    return .done
                }
            })
        try bench.run()
        #expect(bench.log == ["runs"])
    }

    @Test func `taken back while it is being started, it is cancelled`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 1, on: loop)
        let silent = Silent()
        var late: OperationCompletion<Int>?
        queue.submit(
            1, on: pool,
            start: { completion in
                late = completion
                queue.cancel(1)
                return silent
            }, then: { (_: Int) in { _ in .done } })
        try loop.run()
        #expect(silent.cancels == 1)
        late?(.success(0))
        try loop.run()
        #expect(queue.statistics.cancelled == 1)
        #expect(queue.isEmpty)
        #expect(pool.counts == (0, 0))
    }

    @Test func `what came just now and was taken back is not lost`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 1, on: loop)
        var kept: [Int] = []
        queue.submit(
            1, on: pool,
            start: { completion in
                completion(.success(7))
                queue.cancel(1)
                return Silent()
            },
            then: { (value: Int) in
                kept.append(value)
                return { _ in .done }
            })
        try loop.run()
        #expect(kept == [7])
        #expect(queue.statistics.cancelled == 1)
    }

    @Test func `a job that is cancelled, and a pool that goes, cancel what has begun`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let silent = Silent()
        do {
            let queue = IdleQueue<Int>(on: loop)
            let pool = OperationPool(width: 1, on: loop)
            for key in 1...2 {
                queue.submit(
                    key, on: pool, start: { _ in silent }, then: { (_: Int) in { _ in .done } })
            }
            try loop.run()
            #expect(pool.counts == (1, 1))
            queue.cancel(1)
            #expect(silent.cancels == 1)
            try loop.run()
            #expect(pool.counts == (1, 0))
        }
        #expect(silent.cancels == 2)
    }

    @Test func `an operation has the order of its job, and ends no other's`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 1, on: loop)
        let silent = Silent()
        var completions: [OperationCompletion<Int>] = []
        for key in 1...2 {
            queue.submit(
                key, priority: .low, rank: key, on: pool,
                start: {
                    completions.append($0)
                    return silent
                }, then: { (_: Int) in { _ in .done } })
            try loop.run()
            queue.reprioritize(key, priority: .high, rank: key)
            if key == 1 { queue.cancel(key) }
        }
        #expect(silent.orders == ["low 1", "high 1", "low 2", "high 2"])
        completions[0](.success(0))  // the first one's, which was cancelled
        try loop.run()
        #expect(queue.contains(2) && queue.statistics.done == 0)
        completions[1](.success(0))
        try loop.run()
        #expect(queue.statistics.done == 1)
    }

    @Test func `what goes on by itself costs no turn`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 2, on: loop)
        queue.submit(1, on: pool, start: { _ in Silent() }, then: { (_: Int) in { _ in .done } })
        try loop.run()
        let turns = loop.statistics.turns
        try loop.run(until: .milliseconds(1_000_000))
        #expect(loop.statistics.turns - turns <= 2)
    }
}
