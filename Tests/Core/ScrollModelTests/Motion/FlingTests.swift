import ScrollModel
import Testing

/// What holds of every fling, whatever its model.
@Suite struct FlingTests {
    static let velocities: [Double] = [0, 0.3, 7, 49, -340, 1_000, -2_345.6, 8_000, 30_000]

    private func fling(
        _ name: FlingModelName, _ velocity: Double, from start: Double = 10_000.25,
        within bounds: ClosedRange<Double> = -1e6...1e6
    ) -> Fling {
        name.model().fling(from: start, velocity: velocity, bounds: bounds, viewportHeight: 900)
    }

    @Test(arguments: FlingModelName.allCases, velocities)
    func `a path leads from its start to its target and never turns back`(
        name: FlingModelName, velocity: Double
    ) {
        let fling = fling(name, velocity)
        var last = fling.start
        for step in 0...200 {
            let offset = fling.offset(at: fling.duration * step / 200)
            #expect(velocity < 0 ? offset <= last : offset >= last)
            last = offset
        }
        #expect(fling.offset(at: .seconds(-1)) == fling.start)
        #expect(fling.offset(at: .zero) == fling.start || fling.duration == .zero)
        #expect(last == fling.target)
        #expect(fling.offset(at: fling.duration + .seconds(9)) == fling.target)
        #expect(fling.velocity(at: fling.duration) == 0)
        #expect(fling.target == fling.unclampedTarget)
    }

    @Test(arguments: FlingModelName.allCases, velocities)
    func `a list comes to a bound when it would have passed there`(
        name: FlingModelName, velocity: Double
    ) throws {
        let free = fling(name, velocity)
        let way = free.target - free.start
        for share in [0.01, 0.3, 0.5, 0.77, 0.99] {
            let bound = free.start + share * way
            let cut = fling(
                name, velocity, within: min(free.start, bound)...max(free.start, bound))
            #expect(cut.target == bound && cut.duration <= free.duration)
            // Android moves by whole pixels, and the last jump may be half a pixel.
            #expect(abs(free.offset(at: cut.duration) - bound) <= (name == .android ? 1 : 0.5))
            let before = free.offset(at: cut.duration - .microseconds(1))
            #expect(abs(before - free.start) <= abs(bound - free.start))
        }
    }

    @Test(arguments: FlingModelName.allCases)
    func `no list rests behind its start`(name: FlingModelName) {
        for velocity in [0.3, 1, 2, -1, -7] {
            for part in 0..<10 {
                let start = 100 + Double(part) / 10
                let fling = fling(name, velocity, from: start)
                #expect((fling.target - start) * velocity >= 0)
            }
        }
    }

    @Test(arguments: FlingModelName.allCases)
    func `a bound cuts the path off, and leaves it as it was until there`(name: FlingModelName) {
        let free = fling(name, 4_000, from: 0)
        let bound = (free.target / 2).rounded()
        let cut = fling(name, 4_000, from: 0, within: 0...bound)
        #expect(cut.target == bound)
        #expect(cut.unclampedTarget == free.target)
        #expect(cut.offset(at: cut.duration / 2) == free.offset(at: cut.duration / 2))
        #expect(cut.velocity(at: cut.duration) == 0)
    }

    @Test(arguments: FlingModelName.allCases)
    func `a list at its bound stays there`(name: FlingModelName) {
        let fling = fling(name, 4_000, from: 500, within: 0...500)
        #expect(fling.target == 500)
        #expect(fling.duration == .zero)
        #expect(self.fling(name, 4_000, from: 777, within: 0...500).start == 500)
    }

    @Test(arguments: FlingModelName.allCases)
    func `up is down in the mirror`(name: FlingModelName) {
        let down = fling(name, 1_700, from: 0)
        let up = fling(name, -1_700, from: 0)
        #expect(up.target == -down.target)
        #expect(up.duration == down.duration)
        #expect(up.velocity(at: .milliseconds(90)) == -down.velocity(at: .milliseconds(90)))
    }

    @Test(arguments: FlingModelName.allCases)
    func `the list leaves the finger at the finger's velocity`(name: FlingModelName) {
        let tolerance = name == .android ? 0.02 : 1e-6
        for velocity in [600.0, 1_500, 2_400] {
            let fling = fling(name, velocity, from: 0)
            #expect(abs(fling.velocity(at: .zero) / velocity - 1) < tolerance)
        }
    }

    @Test(arguments: FlingModelName.allCases)
    func `velocities are the slopes of the path`(name: FlingModelName) {
        let fling = fling(name, 2_400, from: 0)
        for ms in stride(from: 5, to: 280, by: 40) {
            let time = Duration.milliseconds(ms)
            let half = Duration.milliseconds(name == .android ? 4 : 1)
            let way = fling.offset(at: time + half) - fling.offset(at: time - half)
            let slope = way / (half * 2 / .seconds(1))
            #expect(abs(slope - fling.velocity(at: time)) < (name == .android ? 200 : 12))
        }
    }
}
