import IdleLoop
import TestSupport
import Testing

/// Jobs that wait for a worker or an operation's place, or have one, against an array that is searched.
struct WorkerModelTests {
    private struct OffLoopWork {
        let key: Int
        var priority: Priority
        var rank: Int
        let age: Int
        let cost: Duration
        /// When its worker has finished, nil while it waits for one.
        var end: Instant?

        func isBefore(_ other: OffLoopWork) -> Bool {
            priority == other.priority
                ? (rank, age) < (other.rank, other.age) : priority > other.priority
        }
    }

    /// What a queue and a pool should do together.
    private struct PlainPool {
        let width: Int
        let limit: Int
        var outstanding: [OffLoopWork] = []
        var now = Instant.zero
        var log: [String] = []
        var age = 0

        mutating func submit(_ key: Int, _ priority: Priority, _ rank: Int, _ cost: Duration) {
            age += 1
            if reprioritize(key, priority, rank) { return }
            outstanding.append(
                OffLoopWork(key: key, priority: priority, rank: rank, age: age, cost: cost))
            guard outstanding.count > limit,
                let victim = outstanding.min(by: { ($0.priority, $0.age) < ($1.priority, $1.age) })
            else { return }
            end(victim.key, "dropped")
        }

        mutating func reprioritize(_ key: Int, _ priority: Priority, _ rank: Int) -> Bool {
            guard let index = outstanding.firstIndex(where: { $0.key == key }) else { return false }
            outstanding[index].priority = priority
            outstanding[index].rank = rank
            return true
        }

        @discardableResult
        mutating func end(_ key: Int, _ word: String) -> Bool {
            guard let index = outstanding.firstIndex(where: { $0.key == key }) else { return false }
            outstanding.remove(at: index)
            log.append("\(now.nanoseconds) \(key) \(word)")
            return true
        }

        /// Lets time pass, in which workers finish and take the most urgent that wait.
        mutating func run(until moment: Instant) {
            while true {
                while outstanding.count(where: { $0.end != nil }) < width,
                    let first = outstanding.filter({ $0.end == nil }).min(by: { $0.isBefore($1) }),
                    let index = outstanding.firstIndex(where: { $0.key == first.key })
                {
                    outstanding[index].end = now.advanced(by: first.cost)
                }
                guard let next = outstanding.compactMap(\.end).min(), next <= moment else { break }
                now = next
                let arrived = outstanding.filter { $0.end == now }.sorted { $0.isBefore($1) }
                for offLoopWork in arrived {
                    end(offLoopWork.key, offLoopWork.key % 7 == 0 ? "failed" : "done")
                }
            }
            now = moment
        }
    }

    @Test(arguments: seeds(0..<200))
    func `what is off the loop is raised, lowered and taken back there too`(seed: UInt64) throws {
        try compare(seed: seed, withOperations: false)
    }

    @Test(arguments: seeds(0..<200))
    func `operations are raised, lowered and taken back as workers' tasks are`(seed: UInt64) throws
    {
        try compare(seed: seed, withOperations: true)
    }

    private func compare(seed: UInt64, withOperations: Bool) throws {
        var random = SplitMix64(seed: seed)
        let (loop, time) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.limit = Int.random(in: 1...15, using: &random)
        configuration.batch = .zero
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        let pool = try WorkerPool(width: .random(in: 1...3, using: &random), on: loop)
        let operations = OperationPool(width: pool.width, on: loop)
        var underway: [Waiting] = []
        var plain = PlainPool(width: pool.width, limit: configuration.limit)
        var log: [String] = []
        var commits = 0

        for step in 0..<120 {
            let key = Int.random(in: 0..<20, using: &random)
            let priority = Priority.allCases.randomElement(using: &random) ?? .normal
            let rank = Int.random(in: 0..<4, using: &random)
            // No two things happen at one moment, so that none must be said to be the first.
            let cost = Duration.nanoseconds(Int64.random(in: 1...20_000_000, using: &random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<10:
                plain.submit(key, priority, rank, cost)
                let isNew = !queue.contains(key)
                let onEnd =
                    { log.append("\(time.now.nanoseconds) \(key) \($0.word)") } as (JobEnd) -> Void
                if withOperations {
                    queue.submit(
                        key, priority: priority, rank: rank, on: operations,
                        onEnd: isNew ? onEnd : nil,
                        start: { completion in
                            let operation = Waiting(for: cost, on: loop) {
                                completion(
                                    key % 7 == 0 ? .failure(QueueTests.Trouble()) : .success(0))
                            }
                            underway.append(operation)
                            return operation
                        },
                        then: { _ in
                            commits += 1
                            return { _ in .done }
                        })
                    break
                }
                queue.submit(
                    key, priority: priority, rank: rank, on: pool, cost: cost,
                    onEnd: isNew ? onEnd : nil,
                    work: { if key % 7 == 0 { throw QueueTests.Trouble() } }
                ) {
                    commits += 1
                    return { _ in .done }
                }
            case 10..<13:
                #expect(
                    queue.reprioritize(key, priority: priority, rank: rank)
                        == plain.reprioritize(key, priority, rank))
            case 13..<15:
                #expect(queue.cancel(key) == plain.end(key, "cancelled"))
            case 15:
                queue.cancel { $0 % 3 == rank }
                for key in plain.outstanding.map(\.key) where key % 3 == rank {
                    plain.end(key, "cancelled")
                }
            default:
                let moment = time.now.advanced(by: .milliseconds(rank * 4 + 1))
                plain.run(until: moment)
                try loop.run(until: moment)
            }
            queue.checkInvariants()
            try #require(log == plain.log, "step \(step)")
            #expect(queue.count == plain.outstanding.count)
            #expect(plain.outstanding.allSatisfy { queue.priority(of: $0.key) == $0.priority })
            #expect(operations.counts.running <= operations.width)
        }
        plain.run(until: time.now.advanced(by: .seconds(1)))
        try loop.run()
        #expect(log == plain.log)
        #expect(queue.isEmpty)
        #expect(commits == queue.statistics.done)
        #expect(operations.counts == (0, 0))
        #expect(underway.allSatisfy { $0.ends == 1 })
        #expect(queue.statistics.isConserved)
    }
}
