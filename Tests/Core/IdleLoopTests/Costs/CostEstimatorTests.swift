import TestSupport
import Testing

@testable import IdleLoop

struct CostEstimatorTests {
    @Test func `a cost grows with the size, from a fixed part that is learned`() {
        var random = SplitMix64(seed: 1)
        var costs = CostEstimator()
        costs.learn(.milliseconds(4), of: WorkKind(1, size: 1000))
        // At first all of it is taken to be proportional.
        #expect(costs.expected(of: WorkKind(1, size: 2000))?.mean == .milliseconds(8))
        for _ in 0..<200 {
            let size = Int.random(in: 500..<5000, using: &random)
            costs.learn(.microseconds(3000 + size), of: WorkKind(1, size: size))
        }
        for size in [0, 1000, 4000, 10_000] {
            let expected =
                (costs.expected(of: WorkKind(1, size: size))?.mean ?? .zero) / .microseconds(1)
            #expect(abs(expected / Double(3000 + size) - 1) < 0.15)
        }
        // What is learned of sizes holds for a kind that was never seen, too.
        #expect((costs.expected(of: WorkKind(2, size: 4000))?.mean ?? .zero) > .milliseconds(6))
    }

    @Test func `sizes that don't matter, or make no sense, do no harm`() {
        var costs = CostEstimator()
        for size in [0, -5, .max, .min, 7, 0] {
            costs.learn(.milliseconds(2), of: WorkKind(1, size: size))
            for asked in [0, -1, .max, .min] {
                let expected = costs.expected(of: WorkKind(1, size: asked))?.bound ?? .zero
                #expect(expected >= .zero && expected <= .seconds(5_000_000_000))
            }
        }
        #expect(costs.expected(of: WorkKind(1))?.mean == .milliseconds(2))
        costs.learn(.zero, of: WorkKind(3, size: 3))
        #expect(costs.expected(of: WorkKind(3, size: 5)) != nil)
    }

    @Test(arguments: seeds(0..<10))
    func `one cost in a few hundred is above the bound, and the bound is no wider than needed`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var costs = CostEstimator()
        costs.learn(.milliseconds(8), of: "page")
        #expect(costs.expected(of: "page")?.bound == .milliseconds(8))
        #expect(costs.usual?.bound == .milliseconds(8))
        var (exceeded, bounds) = (0, Duration.zero)
        for _ in 0..<1000 {
            let cost = Duration.microseconds(Int.random(in: 4000...6000, using: &random))
            let bound = try #require(costs.expected(of: "picture") ?? costs.usual).bound
            if cost > bound { exceeded += 1 }
            bounds += bound
            costs.learn(cost, of: "picture")
        }
        #expect(exceeded < 30)
        #expect(bounds / 1000 < .microseconds(6600))
        // What always costs the same is expected to, whatever others cost.
        for _ in 0..<60 { costs.learn(.milliseconds(7), of: "font") }
        let font = try #require(costs.expected(of: "font"))
        #expect(font.bound - .milliseconds(7) < .microseconds(700))
    }

    @Test func `one cost among many that something else has stretched changes little`() throws {
        var costs = CostEstimator()
        for step in 0..<200 { costs.learn(.milliseconds(step % 2 == 0 ? 4 : 5), of: "page") }
        let before = try #require(costs.expected(of: "page"))
        costs.learn(.milliseconds(40), of: "page")
        let after = try #require(costs.expected(of: "page"))
        #expect(after.bound < before.bound + .milliseconds(2))
        #expect(after.bound > before.bound)
    }

    @Test func `costs that never varied and begin to are learned`() throws {
        var costs = CostEstimator()
        for _ in 0..<200 { costs.learn(.milliseconds(4), of: "page") }
        #expect(costs.expected(of: "page")?.bound == .milliseconds(4))
        for step in 0..<40 { costs.learn(.milliseconds(step % 2 == 0 ? 4 : 8), of: "page") }
        #expect(try #require(costs.expected(of: "page")).bound > .milliseconds(8))
    }

    @Test func `the greatest costs overflow nothing`() {
        var random = SplitMix64(seed: 1)
        var costs = CostEstimator()
        let edges: [Duration] = [
            .zero, .nanoseconds(1), .seconds(-1), .nanoseconds(Int64.max), .seconds(Int64.max),
        ]
        for _ in 0..<1000 {
            let size = [nil, 0, 1, .max].randomElement(using: &random) ?? nil
            let kind = WorkKind(.random(in: 0..<3, using: &random), size: size)
            costs.learn(edges.randomElement(using: &random) ?? .zero, of: kind)
            #expect((costs.expected(of: kind)?.bound ?? .zero) >= .zero)
        }
    }

    @Test func `a million kinds take no more room than a hundred`() {
        var costs = CostEstimator()
        for kind in 0..<1_000_000 { costs.learn(.milliseconds(kind % 7), of: WorkKind(kind)) }
        costs.checkInvariants()
        let known = (0..<1_000_000).count { costs.expected(of: WorkKind($0)) != nil }
        #expect(100...128 ~= known)
        #expect(costs.expected(of: WorkKind(999_999)) != nil)
    }

    // The model takes the square of the length; the last windows have passed after 150.
    @Test(arguments: seeds(0..<20)) func `a random sequence is learned as by a plain model`(
        _ seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        var costs = CostEstimator()
        var model = PlainCosts()
        for _ in 0..<150 {
            let size = Bool.random(using: &random) ? Int.random(in: 0..<9, using: &random) : nil
            let kind = WorkKind(.random(in: -3..<4, using: &random), size: size)
            let cost = Duration.microseconds(Int.random(in: 0..<9000, using: &random))
            let expected = costs.expected(of: kind).map { $0.mean / .seconds(1) }
            let plain = model.expected(of: kind)
            #expect((expected == nil) == (plain == nil))
            #expect(abs((expected ?? 0) - (plain ?? 0)) < 2e-9)
            #expect(costs.isReliable == model.isReliable)
            costs.learn(cost, of: kind)
            model.learn(cost, of: kind)
            costs.checkInvariants()
        }
    }

    /// The same from all that was ever learned, by the definitions of weighted means.
    private struct PlainCosts {
        private struct Seen {
            let kind: WorkKind
            let cost: Double

            var size: Double? { kind.size.map { Double($0) } }
        }

        private var seen: [Seen] = []
        private var errors: [(kind: Double, all: Double, plain: Double)] = []
        private var parity = 1.0
        private(set) var isReliable = false

        mutating func learn(_ cost: Duration, of kind: WorkKind) {
            let own = seen.filter { $0.kind.number == kind.number }
            let new = Seen(kind: kind, cost: cost / .seconds(1))
            defer { seen.append(new) }
            guard !own.isEmpty else { return }
            let count = Double(min(32, own.count))
            let missed = [
                line(own, kind.size, prior: proportion(of: seen)), line(seen, kind.size),
                line(seen, nil),
            ].map { (new.cost - $0) * (new.cost - $0) }
            errors.append((missed[0] / (1 + 1 / count), missed[1], missed[2]))
            let within = mean(errors.map(\.kind), window: 64)
            let total = mean(errors.map(\.all), window: 64)
            let usual = mean(seen.map(\.cost), window: 32)
            let (number, unit) = (Double(min(64, errors.count)), max(1e-18, usual * usual))
            parity = (number * within + unit) / (number * max(0, total - within) + unit)
            let plain = mean(errors.map(\.plain), window: 64)
            let left = number * min(within, total) + unit
            isReliable = left < max((number * plain + unit) / 2, number * unit / 16)
        }

        func expected(of kind: WorkKind) -> Double? {
            let own = seen.filter { $0.kind.number == kind.number }
            guard !seen.isEmpty, !own.isEmpty || kind.size != nil else { return nil }
            let count = Double(min(32, own.count))
            let share = count / (count + parity)
            let cost = line(own, kind.size, prior: proportion(of: seen))
            return share * cost + (1 - share) * line(seen, kind.size)
        }

        /// Each value weighs 1/n when it comes, and at least 1/window.
        private func mean(_ values: [Double], window: Int) -> Double {
            values.enumerated().reduce(0) { mean, next in
                let part = 1 / Double(min(next.offset + 1, window))
                return (1 - part) * mean + part * next.element
            }
        }

        /// Returns the cost of a size on the line through some costs.
        private func line(_ seen: [Seen], _ size: Int?, prior: Double = 1) -> Double {
            let usual = mean(seen.map(\.cost), window: 32)
            let middle = mean(seen.compactMap(\.size), window: 32)
            guard let size, usual > 0, middle > 0 else { return usual }
            let part = proportion(of: seen, prior: prior)
            return usual * (1 - part + part * Double(size) / middle)
        }

        private func proportion(of seen: [Seen], prior: Double = 1) -> Double {
            let usual = mean(seen.map(\.cost), window: 32)
            let sizes = seen.compactMap(\.size)
            let middle = mean(sizes, window: 32)
            guard usual > 0, middle > 0 else { return prior }
            var (square, product, count) = (0.0, 0.0, 0)
            for place in seen.indices {
                guard let size = seen[place].size else { continue }
                let distance = size - mean(Array(sizes[..<count]), window: 32)
                let deviation =
                    seen[place].cost - mean(seen[..<place].map(\.cost), window: 32)
                count += 1
                let part = 1 / Double(min(count, 32))
                square = (1 - part) * (square + part * distance * distance)
                product = (1 - part) * (product + part * distance * deviation)
            }
            let weight = middle * middle / Double(min(count, 32))
            let slope = (product + weight * prior * usual / middle) / (square + weight)
            return min(max(0, slope * middle / usual), 1)
        }
    }
}
