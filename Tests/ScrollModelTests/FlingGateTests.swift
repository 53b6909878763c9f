import ScrollModel
import Testing

struct FlingGateTests {
    private let viewport: Viewport

    init() throws {
        viewport = Viewport(
            rows: try RowHeights(count: 100, height: 100), height: 850, offset: 4_000)
    }

    private func prediction(
        to target: Double, velocity: Double = 1_000, path: Fling? = nil
    ) -> FlingPrediction {
        FlingPrediction(target: target, source: .model, velocity: velocity, path: path)
    }

    @Test(arguments: [
        (4_899.0, false), (4_900, true), (3_200, false), (3_199, true), (4_000, false),
    ])
    func `the gate closes beyond eight rows`(target: Double, isClosed: Bool) {
        #expect(FlingGate.standard == .rows(8))
        #expect(FlingGate.standard.isClosed(by: prediction(to: target), in: viewport) == isClosed)
    }

    @Test func `a gate of screens is the same for all rows`() throws {
        let tall = Viewport(
            rows: try RowHeights(count: 100, height: 800), height: 850, offset: 4_000)
        for list in [viewport, tall] {
            #expect(!FlingGate.screens(1).isClosed(by: prediction(to: 4_850), in: list))
            #expect(FlingGate.screens(1).isClosed(by: prediction(to: 4_851), in: list))
        }
        #expect(!FlingGate.standard.isClosed(by: prediction(to: 9_000), in: tall))
    }

    @Test func `a gate of seconds asks the path, or takes it to be braked evenly`() {
        let path = QtFling().fling(
            from: 4_000, velocity: 1_500, bounds: 0...9_150, viewportHeight: 850)
        let known = prediction(to: path.target, velocity: 1_500, path: path)
        let told = prediction(to: path.target, velocity: 1_500)
        for fling in [known, told] {
            #expect(FlingGate.seconds(0.99).isClosed(by: fling, in: viewport))
            #expect(!FlingGate.seconds(1.01).isClosed(by: fling, in: viewport))
        }
        let still = prediction(to: 4_000, velocity: 0)
        #expect(!FlingGate.seconds(0).isClosed(by: still, in: viewport))
    }

    @Test func `three rows on both sides are the rule`() {
        #expect(LandingMargin() == LandingMargin(.rows(3), on: .both))
        let rows = LandingMargin().rows(around: prediction(to: 6_010), in: viewport)
        #expect(rows == 57..<72)
    }

    @Test(arguments: [
        (LandingMargin.Side.approach, 6_000.0, 57, 69), (.ahead, 6_000, 60, 72),
        (.approach, 2_000, 20, 32), (.ahead, 2_000, 17, 29),
    ])
    func `a margin may lie on one side`(
        side: LandingMargin.Side, target: Double, first: Int, end: Int
    ) {
        let margin = LandingMargin(.rows(3), on: side)
        #expect(margin.rows(around: prediction(to: target), in: viewport) == first..<end)
    }

    @Test func `a target beyond the end gives the last rows, never row 0`() throws {
        for target in [9_151, 20_000, 1e18, Double.infinity] {
            let rows = LandingMargin().rows(around: prediction(to: target), in: viewport)
            #expect(rows == 88..<100)
            let ahead = LandingMargin(.screens(2), on: .ahead)
            #expect(ahead.rows(around: prediction(to: target), in: viewport) == 91..<100)
        }
        let first = LandingMargin().rows(around: prediction(to: -5_000), in: viewport)
        #expect(first == 0..<12)
        let empty = Viewport(rows: try RowHeights([]), height: 850)
        #expect(LandingMargin().rows(around: prediction(to: 700), in: empty).isEmpty)
        #expect(!FlingGate.standard.isClosed(by: prediction(to: 700), in: empty))
    }

    @Test func `margins of screens and seconds reach as far as they say`() {
        let screens = LandingMargin(.screens(1))
        #expect(screens.rows(around: prediction(to: 6_000), in: viewport) == 51..<77)
        let path = LinearFling(horizon: 2, maximumDistance: 9_000).fling(
            from: 4_000, velocity: 1_000, bounds: 0...9_150, viewportHeight: 850)
        let seconds = LandingMargin(.seconds(0.5), on: .approach)
        #expect(
            seconds.rows(around: prediction(to: 6_000, path: path), in: viewport) == 55..<69)
        // Braked evenly over 2000 px from 1000 px/s: 31.25 px in the last half second.
        #expect(seconds.rows(around: prediction(to: 6_000), in: viewport) == 59..<69)
        let still = prediction(to: 6_000, velocity: 0)
        #expect(seconds.rows(around: still, in: viewport) == 60..<69)
    }

    @Test func `a margin as wide as numbers go is the whole list`() {
        let rows = LandingMargin(.rows(.max)).rows(around: prediction(to: 6_000), in: viewport)
        #expect(rows == 0..<100)
    }
}
