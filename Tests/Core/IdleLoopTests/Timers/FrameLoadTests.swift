import Glibc
import IdleLoop
import TestSupport
import Testing

/// Many jobs beside frames: none waits for ever, and no frame is late without being counted.
struct FrameLoadTests {
    /// What a random mixture is made of.
    struct Mixture: Sendable, CustomTestStringConvertible {
        let seed: UInt64
        /// The longest whole job, in microseconds.
        let longest: Int
        /// Whether some jobs are of kinds, of which the first is a surprise.
        let hasKinds: Bool

        var testDescription: String { "seed \(seed), up to \(longest) µs, kinds \(hasKinds)" }
    }

    /// Hands in 80 jobs of random priority in the first 400 ms, and says how many frames were late.
    private func run(_ mixture: Mixture) throws -> (late: Int, queue: QueueStatistics, ends: Int) {
        var random = SplitMix64(seed: mixture.seed)
        let bench = try QueueBench {
            $0.limit = 1000
            $0.batch = mixture.seed % 2 == 0 ? .zero : .microseconds(50)
        }
        let tolerance = Duration.microseconds(Int.random(in: 0...2000, using: &random))
        let handler = Duration.microseconds(Int.random(in: 0...3000, using: &random))
        let period = Duration.microseconds(Int.random(in: 10_000...20_000, using: &random))
        var late = 0
        let frames = bench.loop.frames(every: period, tolerance: tolerance) { frame in
            if frame.delay > tolerance { late += 1 }
            bench.time.charge(handler)
        }
        for index in 0..<80 {
            let moment = Instant.microseconds(.random(in: 0..<400_000, using: &random))
            let cost = Int.random(in: 0...mixture.longest, using: &random)
            let priority = Priority.allCases.randomElement(using: &random) ?? .normal
            let kind = Int.random(in: 0..<5, using: &random)
            let slices = Int.random(in: 1...5, using: &random)
            bench.loop.schedule(at: moment) {
                switch index % 3 {
                case 0:
                    bench.submit("\(index)", priority, slices: slices)
                case 1 where mixture.hasKinds:
                    let cost = Duration.microseconds(mixture.longest * kind / 5)
                    bench.submit("\(index)", priority, kind: WorkKind("\(kind)"), taking: cost)
                default:
                    let cost = Duration.microseconds(cost)
                    bench.submit("\(index)", priority, cost: cost, taking: cost)
                }
            }
        }
        try bench.loop.run(until: .milliseconds(4000))
        frames.cancel()
        bench.queue.checkInvariants()
        return (late, bench.queue.statistics, bench.ends.count)
    }

    @Test(arguments: seeds(0..<60))
    func `where every job fits into a lull all end and no frame is late`(seed: UInt64) throws {
        let (late, queue, ends) = try run(.init(seed: seed, longest: 6000, hasKinds: false))
        #expect(late == 0)
        #expect(queue.overruns == 0)
        #expect(queue.done == 80)
        #expect(ends == 80)
    }

    @Test(arguments: seeds(0..<60))
    func `where some are too long all end, and each late frame was counted`(seed: UInt64) throws {
        let (late, queue, ends) = try run(
            .init(seed: seed, longest: 40_000, hasKinds: seed % 2 == 1))
        #expect(late <= queue.overruns)
        #expect(queue.done == 80)
        #expect(ends == 80)
    }
}
