import IdleLoop
import TestSupport
import Testing

@testable import DeferredLoading

/// The price of work, as a meter computes it from readings alone.
struct PriceMeterTests {
    /// A meter that is read every few milliseconds.
    private struct Readings {
        var meter: PriceMeter
        private var reading = PriceMeter.Reading()
        private var random: SplitMix64

        init(in range: ClosedRange<WorkPrice> = .free ... .highest, seed: UInt64 = 1) {
            meter = PriceMeter(in: range)
            random = SplitMix64(seed: seed)
        }

        /// Returns the prices of a time in which jobs have a share of the lulls.
        mutating func prices(
            busy share: Double, waiting: Double, fetching: Double = 0, for seconds: Double
        ) -> [WorkPrice] {
            var prices: [WorkPrice] = []
            let end = reading.time + .seconds(seconds)
            while reading.time < end {
                let step = Double.random(in: 0.01...0.05, using: &random)
                reading.time = reading.time + .seconds(step)
                reading.worked += .seconds(0.8 * step * share)
                reading.asleep += .seconds(0.8 * step * (1 - share))
                reading.waiting = waiting
                reading.fetching = fetching
                meter.update(to: reading)
                prices.append(meter.price)
            }
            return prices
        }
    }

    @Test func `before any work, and while nothing waits, work is free`() {
        var readings = Readings()
        #expect(readings.meter.price == .free)
        #expect(readings.prices(busy: 0, waiting: 50, for: 3).allSatisfy { $0 == .free })
        readings = Readings()
        #expect(readings.prices(busy: 1, waiting: 0, for: 3).allSatisfy { $0 == .free })
    }

    @Test(arguments: seeds(1...6))
    func `the price settles within two seconds of a step, and doesn't overshoot`(seed: UInt64) {
        var readings = Readings(seed: seed)
        _ = readings.prices(busy: 0.2, waiting: 2, for: 5)
        for (share, waiting, isUp) in [(1.0, 40.0, true), (0.6, 5.0, false), (0.9, 80.0, true)] {
            let prices = readings.prices(busy: share, waiting: waiting, for: 2)
            #expect(prices == (isUp ? prices.sorted() : prices.sorted(by: >)))
            #expect(abs(readings.meter.price.secondsInView / (share * waiting) - 1) < 0.1)
        }
    }

    @Test func `the workers' time counts like that of the loop`() {
        var readings = Readings()
        _ = readings.prices(busy: 0.1, waiting: 10, fetching: 1, for: 3)
        #expect(abs(readings.meter.price.secondsInView - 10) < 0.1)
    }

    @Test func `a price stays in its range, and equal limits are one price`() {
        let limits = WorkPrice.neutral...WorkPrice(secondsInView: 10)
        var readings = Readings(in: limits)
        for waiting in [0.0, 1_000, 0] {
            let prices = readings.prices(busy: 1, waiting: waiting, for: 4)
            #expect(prices.allSatisfy(limits.contains))
            #expect(prices.last == (waiting > 0 ? limits.upperBound : limits.lowerBound))
        }
        var fixed = Readings(in: .neutral ... .neutral)
        #expect(!fixed.meter.isDue(at: .zero))
        #expect(fixed.prices(busy: 1, waiting: 99, for: 2).allSatisfy { $0 == .neutral })
    }

    @Test func `a loop without lulls keeps the price that it had`() {
        var meter = PriceMeter(in: .free ... .highest)
        var reading = PriceMeter.Reading(waiting: 10)
        for step in 0..<400 {
            reading.time = reading.time + .milliseconds(10)
            if step < 200 { reading.worked += .milliseconds(8) }
            meter.update(to: reading)
        }
        #expect(meter.price.secondsInView > 9)
    }

    @Test func `a price needs no timer`() throws {
        let bench = try LoaderBench()
        let other = bench.loader.list { _, _ in }
        bench.want(0..<50)
        other.reconcile(with: bench.wish(100..<150))
        try bench.run(until: 50)
        #expect(bench.loader.price == .free)
        try bench.run(until: 99)
        #expect(bench.loader.price > .free)
        try bench.run(until: 2_000)
        let (turns, fired) = (bench.loop.statistics.turns, bench.loop.statistics.timersFired)
        try bench.run(until: 60_000)
        #expect(bench.loop.statistics.timersFired == fired + 1)  // the end of the run itself
        #expect(bench.loop.statistics.turns <= turns + 3)
        #expect(bench.loader.price < .neutral)
        withExtendedLifetime(other) {}
    }
}
