import IdleLoop
import TestSupport
import Testing

/// The queue against an obvious one.
struct QueueModelTests {
    /// An idle queue that does what values say.
    private final class Puppet {
        let loop: MainLoop
        let queue: IdleQueue<Int>
        var log: [String] = []
        private var tokens: [Int: IdleJob] = [:]

        init(_ configuration: QueueConfiguration) throws {
            (loop, _) = try virtualLoop()
            queue = IdleQueue(on: loop, configuration: configuration)
        }

        @discardableResult
        func perform(_ request: Request) -> Int {
            defer { queue.checkInvariants() }
            switch request {
            case .submit(let job):
                submit(job)
                return 0
            case .reprioritize(let key, let priority, let rank):
                return queue.reprioritize(key, priority: priority, rank: rank) ? 1 : 0
            // By its key or by what handing it in gave, which is the same.
            case .cancel(let key) where key % 2 == 0: return tokens[key]?.cancel() == true ? 1 : 0
            case .cancel(let key): return queue.cancel(key) ? 1 : 0
            case .cancelEachThird(let rest): return queue.cancel { $0 % 3 == rest }
            case .cancelAll:
                let before = queue.count
                queue.cancelAll()
                return before
            }
        }

        /// The priorities for which there is room.
        var rooms: [Priority] { Priority.allCases.filter { queue.hasRoom(for: $0) } }

        private func submit(_ job: PlainJob) {
            var runs = job.runs[...]
            tokens[job.key] = queue.submit(
                job.key, priority: job.priority, rank: job.rank,
                cost: job.cost.map { .milliseconds($0) },
                onEnd: { end in
                    self.log.append("\(job.requests[0]) \(end.word)")
                    self.queue.checkInvariants()
                }
            ) { _ in
                self.loop.stop()
                self.log.append("\(job.key) runs")
                let run = runs.removeFirst()
                for request in run.requests {
                    self.perform(request)
                    #expect(self.queue.contains(job.key))
                }
                self.log.append("\(self.rooms)")
                switch run.outcome {
                case .done: return .done
                case .again: return .again
                case .skipped: return .skipped
                case .failed: throw QueueTests.Trouble()
                }
            }
        }
    }

    @Test(arguments: seeds(0..<800))
    func `the queue does what an array would do`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let limit = Int.random(in: 1...12, using: &random)
        var configuration = QueueConfiguration()
        configuration.limit = limit
        configuration.batch = .zero
        let puppet = try Puppet(configuration)
        var plain = PlainQueue(limit: limit)
        var number = 0

        for step in 0..<80 {
            if Int.random(in: 0..<3, using: &random) == 0 {
                plain.runOne()
                try puppet.loop.run()
            } else {
                let request = Request.random(number: &number, nesting: 2, using: &random)
                #expect(puppet.perform(request) == plain.perform(request), "step \(step)")
            }
            try compare(puppet, &plain, step)
        }
        puppet.queue.close()
        plain.perform(.cancelAll)
        try compare(puppet, &plain, -1)
        #expect(puppet.queue.statistics.waiting == 0)
    }

    /// Compares what has happened since the last time, and what there is.
    private func compare(_ puppet: Puppet, _ plain: inout PlainQueue, _ step: Int) throws {
        let queue = puppet.queue
        queue.checkInvariants()
        try #require(puppet.log == plain.log, "step \(step)")
        puppet.log = []
        plain.log = []
        let statistics = queue.statistics
        let ends = [
            "done": statistics.done, "skipped": statistics.skipped, "failed": statistics.failed,
            "cancelled": statistics.cancelled, "dropped": statistics.dropped,
        ]
        #expect(ends.filter { $0.value > 0 } == plain.ends)
        #expect(queue.count == plain.jobs.count)
        #expect(step < 0 || puppet.rooms == plain.rooms)
        #expect(plain.jobs.allSatisfy { queue.priority(of: $0.key) == $0.priority })
    }
}
