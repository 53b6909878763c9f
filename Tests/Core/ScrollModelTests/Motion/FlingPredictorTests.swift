import ScrollModel
import TestSupport
import Testing

struct FlingPredictorTests {
    private let viewport: Viewport
    private var predictor = FlingPredictor(model: ExponentialFling.gtkLimit, lead: 0)

    init() throws {
        viewport = Viewport(rows: try RowHeights(count: 1_000, height: 100), height: 900)
    }

    /// A finger that moves by `step` px every 8 ms from `start` on, and is lifted where it is.
    private mutating func stroke(
        step: Double, count: Int = 10, at start: Instant = .zero, offset: Double = 50_000,
        rest: Duration = .milliseconds(8)
    ) -> FlingForecast? {
        var time = start
        predictor.fingerDown(500, at: time, offset: offset)
        for number in 1...count {
            time += .milliseconds(8)
            predictor.fingerMoved(500 + Double(number) * step, at: time)
        }
        return predictor.fingerUp(
            500 + Double(count) * step, at: time + rest, in: viewport)
    }

    @Test mutating func `an upward stroke leads further down the list`() throws {
        let fling = try #require(stroke(step: -16))
        #expect(abs(fling.velocity - 2_000) < 1e-6)
        // From where the finger left the list: the drag less the slop, and then the fling.
        #expect(abs(fling.target - (50_000 + 160 - 15 + 500)) < 1e-6)
        #expect(fling.remaining == fling.path?.duration)
        #expect(fling.path?.start == 50_145)
    }

    @Test mutating func `a downward stroke leads up, and to the top at most`() throws {
        let fling = try #require(stroke(step: 16))
        #expect(abs(fling.target - (50_000 - 160 + 15 - 500)) < 1e-6)
        let topmost = try #require(stroke(step: 16, offset: 300))
        #expect(topmost.target == 0)
    }

    @Test mutating func `a finger that is slow, rests, or stays within the slop flings nothing`() {
        #expect(stroke(step: -0.39, count: 60) == nil)
        #expect(stroke(step: -16, rest: .milliseconds(41)) == nil)
        #expect(stroke(step: -1.4) == nil)
    }

    @Test mutating func `the slop is lost where the finger first passed it`() throws {
        predictor.fingerDown(500, at: .zero, offset: 50_000)
        for step in 1...10 {
            predictor.fingerMoved(500 - Double(step) * 10, at: .milliseconds(8 * step))
        }
        for step in 1...12 {
            predictor.fingerMoved(400 + Double(step) * 10, at: .milliseconds(80 + 8 * step))
        }
        let lifted = predictor.fingerUp(520, at: .milliseconds(180), in: viewport)
        let fling = try #require(lifted)
        #expect(fling.velocity < 0)
        #expect(abs(try #require(fling.path).start - (50_000 - 20 - 15)) < 1e-6)
    }

    @Test mutating func `a scroller that resamples is a little ahead of the finger`() throws {
        predictor = FlingPredictor(model: ExponentialFling.gtkLimit)
        let fling = try #require(stroke(step: -16))
        #expect(abs(try #require(fling.path).start - (50_145 + 8)) < 1e-6)
    }

    @Test mutating func `strokes in a row add up, and so do their limits`() throws {
        predictor = FlingPredictor(model: ChromiumPhysicsFling(), lead: 0)
        var fling = try #require(stroke(step: -50))
        #expect(abs(fling.velocity - 6_250) < 1e-6)
        for number in 2...4 {
            let start = Instant.milliseconds(300 * (number - 1))
            fling = try #require(stroke(step: -50, at: start))
            #expect(abs(fling.velocity - Double(number) * 6_250) < 1e-5)
            #expect(abs(fling.target - (50_485 + Double(number) * 2_700)) <= 1)
        }
    }

    @Test(arguments: [
        (step: 50.0, at: 300, cancelled: false),  // the other way
        (step: -50.0, at: 2_500, cancelled: false),  // after the list has come to rest
        (step: -50.0, at: 300, cancelled: true),  // after something else stopped it
    ])
    mutating func `a stroke adds to nothing but a running fling of its direction`(
        step: Double, at ms: Int, cancelled: Bool
    ) throws {
        predictor = FlingPredictor(model: ChromiumPhysicsFling())
        _ = stroke(step: -50)
        if cancelled { predictor.fingerCancelled() }
        let fling = try #require(stroke(step: step, at: .milliseconds(ms)))
        #expect(abs(abs(fling.velocity) - 6_250) < 1e-6)
    }

    @Test(arguments: [(pause: 40, isHeld: false), (pause: 41, isHeld: true)])
    mutating func `a finger that holds the list for more than 40 ms ends the fling it caught`(
        pause: Int, isHeld: Bool
    ) throws {
        predictor = FlingPredictor(model: ChromiumPhysicsFling())
        _ = stroke(step: -50)
        predictor.fingerDown(500, at: .milliseconds(300), offset: 51_000)
        for step in 0..<10 {
            let time = 300 + pause + step * 8
            predictor.fingerMoved(450 - Double(step) * 50, at: .milliseconds(time))
        }
        let lifted = predictor.fingerUp(0, at: .milliseconds(377 + pause), in: viewport)
        let fling = try #require(lifted)
        #expect(abs(fling.velocity - (isHeld ? 6_250 : 12_500)) < 1e-5)
    }

    @Test(arguments: [(pause: 20, isLost: false), (pause: 21, isLost: true)])
    mutating func `UIKit's momentum is lost by a finger that stands still while it drags`(
        pause: Int, isLost: Bool
    ) throws {
        predictor = FlingPredictor(model: FlingModelName.uiKit.model())
        _ = stroke(step: -30)
        predictor.fingerDown(500, at: .milliseconds(300), offset: 51_000)
        for step in 0..<10 {
            let time = 340 + step * 8 + (step > 4 ? pause - 8 : 0)
            predictor.fingerMoved(450 - Double(step) * 50, at: .milliseconds(time))
            // A sample at the same place is no move.
            predictor.fingerMoved(450 - Double(step) * 50, at: .milliseconds(time + 4))
        }
        let lifted = predictor.fingerUp(0, at: .milliseconds(409 + pause), in: viewport)
        #expect((try #require(lifted).velocity < 7_000) == isLost)
    }

    @Test mutating func `without a touch there is no fling`() {
        predictor.fingerMoved(100, at: .zero)
        #expect(predictor.fingerUp(50, at: .milliseconds(8), in: viewport) == nil)
        predictor.fingerDown(500, at: .zero, offset: 0)
        predictor.fingerCancelled()
        #expect(predictor.fingerUp(50, at: .milliseconds(8), in: viewport) == nil)
    }
}
