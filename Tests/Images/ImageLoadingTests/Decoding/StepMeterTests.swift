import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A meter of steps` {
    /// Time as a test tells it.
    final class Time {
        var elapsed = 0
        var processor = 0

        var clock: StepClock {
            StepClock(elapsed: { [self] in elapsed }, processor: { [self] in processor })
        }

        /// A step that works, and waits for a processor.
        func step(_ meter: inout StepMeter, work: Int, waiting: Int = 0) {
            meter.begin()
            elapsed += work + waiting
            processor += work
            meter.end()
        }
    }

    @Test func `leaves out what a step waited for a processor`() {
        let time = Time()
        var meter = StepMeter(time.clock)
        for _ in 0..<100 { time.step(&meter, work: 10, waiting: 500) }
        #expect(meter.sum(above: 1000) == nil)
        #expect(meter.sum(above: 999) == 1000)
    }

    @Test(arguments: seeds(0..<50))
    func `never says less than was worked`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let time = Time()
        var meter = StepMeter(time.clock)
        var (worked, elapsed) = (0, 0)
        var surprises = 0
        for _ in 0..<300 {
            let work = Int.random(in: 0...50, using: &random)
            let waiting = [0, 0, 0, .random(in: 0...1000, using: &random)]
                .randomElement(using: &random)!
            time.step(&meter, work: work, waiting: waiting)
            worked += work
            elapsed += work + waiting
            if worked > 0, meter.sum(above: worked - 1) == nil { surprises += 1 }
            if meter.sum(above: elapsed) != nil { surprises += 1 }
            if Bool.random(using: &random) {
                let other = Int.random(in: 0...500, using: &random)
                time.elapsed += other
                time.processor += .random(in: 0...other, using: &random)
            }
        }
        #expect(surprises == 0)
    }

    @Test func `asks for the processor's time once for many steps`() {
        let time = Time()
        var asked = 0
        var clock = time.clock
        clock.processor = {
            asked += 1
            return time.processor
        }
        var meter = StepMeter(clock)
        for _ in 0..<1600 {
            time.step(&meter, work: 10)
            #expect(meter.sum(above: 1_000_000) == nil)
        }
        #expect(asked == 200)
    }

    @Test func `stands a clock of the processor that goes back, on another thread`() {
        let time = Time()
        var meter = StepMeter(time.clock)
        for _ in 0..<100 {
            time.step(&meter, work: 10)
            time.processor -= 100
        }
        #expect(meter.sum(above: 1000) == nil)
    }
}
