import IdleLoop
import TestSupport
import Testing

/// Several queues on one loop.
struct FairnessTests {
    /// Queues by name, of which each has jobs without end, and the time each was given.
    private final class Contest {
        let loop: MainLoop
        let time: VirtualTime
        var queues: [IdleQueue<Int>] = []
        var given: [Duration] = []
        /// Which queue each job was of, in the order in which they ran.
        var order: [Int] = []
        private var number = 0

        init(weights: [Int]) throws {
            (loop, time) = try virtualLoop()
            for weight in weights {
                var configuration = QueueConfiguration()
                configuration.weight = weight
                configuration.batch = .zero
                queues.append(IdleQueue(on: loop, configuration: configuration))
                given.append(.zero)
            }
        }

        /// Hands a queue a job that takes what `cost` says, and then hands in the next.
        func supply(_ index: Int, cost: @escaping () -> Duration) {
            number += 1
            queues[index].submit(number) { [unowned self] _ in
                let taken = cost()
                time.charge(taken)
                given[index] += taken
                order.append(index)
                supply(index, cost: cost)
                return .done
            }
        }

        func run(milliseconds: Int) throws {
            try loop.run(until: time.now.advanced(by: .milliseconds(milliseconds)))
            for queue in queues { queue.checkInvariants() }
        }

        func close() {
            for queue in queues { queue.close() }
        }
    }

    @Test(arguments: seeds(0..<20))
    func `the lulls are shared by the weights, to within a job`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let weights = (0..<3).map { _ in Int.random(in: 1...5, using: &random) }
        let contest = try Contest(weights: weights)
        defer { contest.close() }
        for index in weights.indices {
            contest.supply(index) { .microseconds(Int.random(in: 1...2000, using: &random)) }
        }
        for _ in 0..<20 {
            try contest.run(milliseconds: 50)
            let shares = zip(contest.given, weights).map { $0 / $1 }
            #expect((shares.max() ?? .zero) - (shares.min() ?? .zero) <= .milliseconds(2))
        }
    }

    @Test func `a queue that was empty doesn't get that time back`() throws {
        let contest = try Contest(weights: [1, 1])
        defer { contest.close() }
        contest.supply(0) { .milliseconds(1) }
        try contest.run(milliseconds: 100)
        contest.supply(1) { .milliseconds(1) }
        let before = contest.given
        try contest.run(milliseconds: 20)
        #expect(contest.given[0] - before[0] >= .milliseconds(9))
        #expect(contest.given[1] - before[1] >= .milliseconds(9))
    }

    @Test func `nor does one that rested because of the loop's mode`() throws {
        let contest = try Contest(weights: [1, 1])
        defer { contest.close() }
        let rests = contest.loop.beforeIdle(modes: .default) { _ in
            contest.time.charge(.milliseconds(1))
            contest.order.append(2)
            return .worked
        }
        for index in 0..<2 { contest.supply(index) { .milliseconds(1) } }
        try contest.run(milliseconds: 9)
        contest.loop.mode = .tracking
        try contest.run(milliseconds: 100)
        contest.loop.mode = .default
        contest.order = []
        try contest.run(milliseconds: 30)
        #expect((9...11).contains(contest.order.count { $0 == 2 }))
        rests.cancel()
    }

    @Test func `an empty queue beside a busy one costs no idle pass`() throws {
        func passes(queues: Int) throws -> Statistics {
            let contest = try Contest(weights: Array(repeating: 1, count: queues))
            defer { contest.close() }
            for key in 0..<20 {
                contest.queues[queues - 1].submit(key) { _ in
                    contest.time.charge(.milliseconds(1))
                    return .done
                }
            }
            try contest.loop.run()
            return contest.loop.statistics
        }
        let alone = try passes(queues: 1)
        #expect(alone.idlePasses == 21)
        #expect(try passes(queues: 2) == alone)
        #expect(try passes(queues: 5) == alone)
    }

    @Test func `a closure before idle has its share beside a queue`() throws {
        let contest = try Contest(weights: [3])
        defer { contest.close() }
        var worked = Duration.zero
        let observer = contest.loop.beforeIdle { _ in
            contest.time.charge(.microseconds(400))
            worked += .microseconds(400)
            return .worked
        }
        contest.supply(0) { .milliseconds(1) }
        for _ in 0..<20 {
            try contest.run(milliseconds: 20)
            let difference = contest.given[0] / 3 - worked
            #expect(max(difference, .zero - difference) <= .milliseconds(1))
        }
        observer.cancel()
    }
}
