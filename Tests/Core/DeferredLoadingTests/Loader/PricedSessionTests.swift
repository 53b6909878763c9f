import IdleLoop
import ScrollModel
import TestSupport
import Testing

@testable import DeferredLoading

/// The price of work, and who is served, while many lists of one loader are flung about.
struct PricedSessionTests {
    /// Lists of 100 px rows in windows of 500, each with flings and rests of its own, whose rows
    /// take 1 to 4 ms.
    private final class Session {
        private final class Member {
            var list: DeferredList<Int, Text>!
            var random: SplitMix64
            var (start, way, duration) = (0.0, 0.0, Duration.seconds(1))
            var fling = Instant.zero
            /// When it came to rest, until all its rows in view are loaded.
            var restedAt: Instant?
            var isMoving = false

            init(seed: UInt64) { random = SplitMix64(seed: seed) }
        }

        static let costOfAScreen = 5 * 0.0025
        let bench: LoaderBench
        private let rests: ClosedRange<Double>
        private let seed: UInt64
        private var members: [Member] = []
        private var made = 0
        private var now = Instant.zero
        private(set) var prices: [Double] = []
        /// The times from a rest until all rows in view are loaded, or the next gesture.
        private(set) var waits: [Double] = []
        private(set) var digest: UInt64 = 14_695_981_039_346_656_037

        init(seed: UInt64, rests: ClosedRange<Double> = 0.3...3) throws {
            bench = try LoaderBench { $0.capacity = .max }
            (self.seed, self.rests) = (seed, rests)
            bench.source.sliceCost = { .microseconds(1_000 + $0 &* 7_919 % 3_001) }
            bench.loader.onDecision = { [unowned self] decision in
                if case .finished = decision.kind { mix(UInt64(decision.key)) }
            }
        }

        private func mix(_ number: UInt64) { digest = (digest ^ number) &* 1_099_511_628_211 }

        /// Opens or closes lists until there are so many.
        func set(count: Int) throws {
            members.removeLast(max(0, members.count - count))
            while members.count < count {
                made += 1
                let (base, member) = (
                    made * 100_000, Member(seed: seed &* 1_000_003 &+ UInt64(made))
                )
                let tracker = ScrollTracker(
                    Viewport(rows: try RowHeights(count: 5_000, height: 100), height: 500))
                member.list = DeferredList(
                    sharing: bench.loader, tracker, key: { base + $0 }, show: { _, _ in })
                member.fling =
                    now + .seconds(Double.random(in: 0...rests.upperBound, using: &member.random))
                member.list.scrolled(to: 0)
                members.append(member)
            }
        }

        /// Runs for a time, with frames 16 ms apart, and reads the price with each.
        func run(for seconds: Double, gestures: Bool = true) throws {
            let end = now + .seconds(seconds)
            prices = []
            while now < end {
                now = now + .milliseconds(16)
                try bench.loop.run(until: now)
                for member in members { move(member, starts: gestures) }
                let price = bench.loader.price.secondsInView
                prices.append(price)
                mix(price.bitPattern)
            }
        }

        private func move(_ member: Member, starts: Bool) {
            let time = (now - member.fling).inSeconds
            let share = time / member.duration.inSeconds
            if !member.isMoving, starts, time >= 0 {
                note(member, isOver: true)
                member.isMoving = true
                member.start = member.list.viewport.offset
                member.way = Double.random(in: 500...6_000, using: &member.random)
                member.duration = .seconds(Double.random(in: 0.4...1.2, using: &member.random))
                member.list.handle(.down(y: 250))
                member.list.handle(.up(y: 250))
            } else if member.isMoving {
                let left = max(0, 1 - share)
                member.list.scrolled(to: member.start + member.way * (1 - left * left * left))
                guard share > 1, member.list.motion.isResting else { return }
                member.isMoving = false
                member.restedAt = now
                member.fling = now + .seconds(Double.random(in: rests, using: &member.random))
            } else {
                note(member, isOver: false)
            }
        }

        /// Ends a wait, if it is over or all rows in view are loaded.
        private func note(_ member: Member, isOver: Bool) {
            guard let rested = member.restedAt, isOver || isComplete(member) else { return }
            waits.append((now - rested).inSeconds)
            member.restedAt = nil
        }

        private func isComplete(_ member: Member) -> Bool {
            member.list.viewport.visibleRows.allSatisfy {
                member.list.state(ofRow: $0).value != nil
            }
        }

        var incomplete: Int { members.count { !isComplete($0) } }

        var meanPrice: Double { prices.reduce(0, +) / Double(prices.count) }
    }

    @Test(arguments: seeds(1...3))
    func `work for a single list is free all the time`(seed: UInt64) throws {
        let session = try Session(seed: seed)
        try session.set(count: 1)
        try session.run(for: 30)
        #expect(session.prices.allSatisfy { $0 == 0 })
        #expect(session.waits.count > 6)
        #expect(session.waits.allSatisfy { $0 < 0.1 })
    }

    @Test(arguments: seeds(1...3))
    func `the more lists there are, the higher the price`(seed: UInt64) throws {
        let means = try [1, 10, 30, 100].map { count in
            let session = try Session(seed: seed)
            try session.set(count: count)
            try session.run(for: 2)
            try session.run(for: 8)
            return session.meanPrice
        }
        #expect(means == means.sorted())
        #expect(means[1] < 2 * WorkPrice.neutral.secondsInView)
        #expect(means[3] > 20 * WorkPrice.neutral.secondsInView)
    }

    @Test(arguments: seeds(1...4))
    func `two seconds after lists have come or gone the price keeps its level`(seed: UInt64) throws
    {
        let session = try Session(seed: seed)
        var levels: [[Double]] = []
        for count in [15, 45, 15] {
            try session.set(count: count)
            try session.run(for: 2)
            levels.append(
                try (0..<3).map { _ in
                    try session.run(for: 4)
                    return session.meanPrice
                })
        }
        let mean = levels[1].reduce(0, +) / 3
        #expect(levels[1].allSatisfy { abs($0 / mean - 1) < 0.35 })
        for few in [levels[0], levels[2]] { #expect(few.allSatisfy { $0 < mean / 3 }) }
    }

    @Test(arguments: [(10, 0.3...3), (100, 0.3...3), (1_000, 5...20)])
    func `no list starves, and a wait is bounded by the fair share`(
        count: Int, rests: ClosedRange<Double>
    ) throws {
        let session = try Session(seed: 3, rests: rests)
        try session.set(count: count)
        try session.run(for: count > 300 ? 12 : 10)
        let share = Double(count) * Session.costOfAScreen
        #expect(session.waits.allSatisfy { $0 < 0.1 + 1.5 * share })
        // They come to rest, within a fling's time, and have all that is in view soon after.
        try session.run(for: 2 + 1.2 * share, gestures: false)
        #expect(session.incomplete == 0)
    }

    /// Returns the digest of a session's loads and prices.
    private static func digest(count: Int, seconds: Double) throws -> UInt64 {
        let session = try Session(seed: 7)
        try session.set(count: count)
        try session.run(for: seconds)
        #expect(session.bench.source.begun.count > 100)
        return session.digest
    }

    // Each process hashes with a seed of its own.
    @Test func `in another process a session has the same loads and prices`() async throws {
        let other = await #expect(processExitsWith: .success, observing: [\.standardOutputContent])
        {
            print("digest", try Self.digest(count: 100, seconds: 3), separator: "=")
        }
        let output = String(decoding: try #require(other).standardOutputContent, as: UTF8.self)
        let digest = try Self.digest(count: 100, seconds: 3)
        #expect(output.contains("digest=\(digest)\n"))
    }
}
