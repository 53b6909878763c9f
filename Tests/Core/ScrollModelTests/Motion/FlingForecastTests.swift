import ScrollModel
import TestSupport
import Testing

/// What a predictor says while the list flings.
struct FlingForecastTests {
    private let viewport: Viewport
    private var predictor = FlingPredictor(model: FlingModelName.uiKit.model(), slop: 0, lead: 0)
    /// The path that the list takes, at 2000 px/s from 40 160 px on.
    private let path: Fling
    private let lift: Instant = .milliseconds(80)
    private let frame: Duration = .milliseconds(16)

    init() throws {
        viewport = Viewport(rows: try RowHeights(count: 1_000, height: 100), height: 900)
        path = FlingModelName.uiKit.model().fling(
            from: 40_160, velocity: 2_000, bounds: 0...99_100, viewportHeight: 900)
    }

    @discardableResult
    private mutating func stroke(
        step: Double = -16, at start: Instant = .zero
    ) -> FlingForecast? {
        predictor.fingerDown(900, at: start, offset: 40_000)
        for number in 1...10 {
            predictor.fingerMoved(
                900 + Double(number) * step, at: start + .milliseconds(8 * number))
        }
        return predictor.fingerUp(900 + 10 * step, at: start + .milliseconds(80), in: viewport)
    }

    /// The forecasts of so many frames on the path.
    @discardableResult
    private mutating func follow(frames: Int) -> FlingForecast? {
        var last: FlingForecast?
        for number in 1...frames {
            let time = frame * number
            last = predictor.observe(
                path.offset(at: time).rounded(), at: lift + time, in: viewport)
        }
        return last
    }

    @Test mutating func `at the release it says what the prediction says`() throws {
        let fling = stroke()
        let prediction = try #require(fling)
        let forecast = try #require(predictor.forecast)
        #expect(forecast.target == prediction.target)
        #expect(forecast.remaining == prediction.path?.duration)
        #expect(viewport.visibleRows(at: forecast.target).contains(412))
    }

    @Test mutating func `on its way a fling is foretold at each frame`() throws {
        for frames in [4, 30, 90] {
            predictor.fingerCancelled()
            stroke()
            let fling = follow(frames: frames)
            let forecast = try #require(fling)
            #expect(abs(forecast.target - path.target) < 3)
            #expect(forecast.elapsed == frame * frames)
        }
    }

    @Test mutating func `a path is put right within a few frames`() throws {
        stroke(step: -14)  // The list is faster than this finger.
        let first = try #require(predictor.forecast)
        #expect(abs(first.target - path.target) > 100)
        let fling = follow(frames: 12)
        let forecast = try #require(fling)
        #expect(abs(forecast.target - path.target) < 10)
    }

    @Test mutating func `a finger that catches the list ends the forecast at once`() {
        stroke()
        follow(frames: 10)
        predictor.fingerDown(500, at: .milliseconds(250), offset: 40_500)
        #expect(predictor.forecast == nil)
        #expect(predictor.observe(40_500, at: .milliseconds(260), in: viewport) == nil)
    }

    @Test mutating func `a catch that nobody told of is seen at the next frame`() {
        stroke()
        follow(frames: 10)
        let held = path.offset(at: frame * 10).rounded()
        #expect(predictor.observe(held, at: lift + frame * 11, in: viewport) == nil)
        #expect(predictor.observe(held, at: lift + frame * 12, in: viewport) == nil)
    }

    @Test mutating func `a reversal is seen at the next frame`() {
        stroke()
        follow(frames: 10)
        let back = path.offset(at: frame * 10) - 20
        #expect(predictor.observe(back, at: lift + frame * 11, in: viewport) == nil)
        // And what follows isn't taken for the fling.
        #expect(predictor.observe(back - 30, at: lift + frame * 12, in: viewport) == nil)
        #expect(predictor.observe(back + 10, at: lift + frame * 13, in: viewport) == nil)
    }

    @Test(arguments: [-300.0, 9_000])
    mutating func `where something else left the list, nothing is learned`(jump: Double) {
        predictor = FlingPredictor(learning: FlingLearner(), slop: 0, lead: 0)
        stroke()
        follow(frames: 10)
        let away = path.offset(at: frame * 10).rounded() + jump
        for number in 11...40 {
            predictor.observe(away, at: lift + frame * number, in: viewport)
        }
        predictor.fingerDown(900, at: .seconds(9), offset: away)
        #expect(predictor.learner?.count == 0)
    }

    @Test mutating func `a list that was behind where it was believed to be isn't turning back`()
        throws
    {
        stroke()
        let seen = predictor.observe(path.start - 50, at: lift + .milliseconds(2), in: viewport)
        #expect(seen != nil)
    }

    @Test mutating func `a frame that the scroller dropped is no catch`() throws {
        stroke()
        follow(frames: 10)
        let held = path.offset(at: frame * 10).rounded()
        #expect(predictor.observe(held, at: lift + frame * 11, in: viewport) == nil)
        let next = path.offset(at: frame * 12).rounded()
        let forecast = predictor.observe(next, at: lift + frame * 12, in: viewport)
        #expect(abs(try #require(forecast).target - path.target) < 3)
    }

    @Test mutating func `a boost is foretold anew from the frame that shows it`() throws {
        stroke()
        follow(frames: 10)
        let here = path.offset(at: frame * 10).rounded()
        let boosted = predictor.observe(here + 160, at: lift + frame * 11, in: viewport)
        let forecast = try #require(boosted)
        // 10 000 px/s, of which UIKit makes 4995 px.
        #expect(abs(forecast.target - (here + 160 + 4_995)) < 10)
        #expect(forecast.elapsed == .zero)
    }

    @Test mutating func `a jump is no fling`() {
        stroke()
        follow(frames: 10)
        #expect(predictor.observe(90_000, at: lift + frame * 11, in: viewport) == nil)
        #expect(predictor.observe(90_001, at: lift + frame * 12, in: viewport) == nil)
    }

    @Test mutating func `an end that comes nearer cuts the forecast short`() throws {
        stroke()
        follow(frames: 10)
        let short = Viewport(rows: try RowHeights(count: 416, height: 100), height: 900)
        let next = path.offset(at: frame * 11).rounded()
        let cut = predictor.observe(next, at: lift + frame * 11, in: short)
        let forecast = try #require(cut)
        #expect(forecast.target == 40_700)
    }

    @Test(arguments: [-40_100.0, -300, 700, 50_000])
    mutating func `a list whose offset is shifted lands where it would have, shifted`(
        shift: Double
    ) throws {
        predictor = FlingPredictor(
            learning: FlingLearner(guess: Scroller(.uiKit)), slop: 0, lead: 0)
        stroke()
        follow(frames: 10)
        let before = try #require(predictor.forecast)
        let rows = try RowHeights(count: 2_000, height: 100)
        let changed = Viewport(rows: rows, height: 900)
        predictor.shift(by: shift, in: changed)
        var forecast = try #require(predictor.forecast)
        #expect(abs(forecast.target - before.target - shift) < 1e-6)
        #expect(forecast.remaining == before.remaining)
        let count = Int(path.duration / frame) + 20
        for number in 11...count {
            let offset = path.offset(at: frame * number).rounded() + shift
            predictor.observe(offset, at: lift + frame * number, in: changed)
            forecast = predictor.forecast ?? forecast
            #expect(abs(forecast.target - path.target - shift) < 3)
        }
        #expect(predictor.forecast == nil && predictor.learner?.count == 1, "it is learned from")
    }

    @Test mutating func `a fling whose start is no longer in the list keeps its path`() throws {
        stroke()
        follow(frames: 10)
        let before = try #require(predictor.forecast)
        // The list ends above its start: rows at the top and at the end are gone.
        let short = Viewport(rows: try RowHeights(count: 40, height: 100), height: 900)
        predictor.shift(by: -40_300, in: short)
        let forecast = try #require(predictor.forecast)
        #expect(abs(forecast.target - (before.target - 40_300)) < 1e-6)
        #expect(forecast.remaining == before.remaining)
    }

    @Test mutating func `a drag goes along with rows that are inserted under the finger`() throws {
        stroke()
        let plain = try #require(predictor.forecast)
        predictor.fingerDown(900, at: .seconds(5), offset: 40_000)
        for number in 1...10 {
            if number == 6 { predictor.shift(by: 250, in: viewport) }
            predictor.fingerMoved(
                900 - Double(number) * 16, at: .seconds(5) + .milliseconds(8 * number))
        }
        let lift = predictor.fingerUp(740, at: .seconds(5) + .milliseconds(80), in: viewport)
        #expect(abs(try #require(lift).target - plain.target - 250) < 1e-6)
    }

    @Test mutating func `once the list rests there is nothing to foretell`() {
        stroke()
        var time = lift
        while time < lift + path.duration + .milliseconds(100) {
            time += frame
            predictor.observe(path.offset(at: time - lift).rounded(), at: time, in: viewport)
        }
        #expect(predictor.forecast == nil)
        #expect(predictor.observe(1_000, at: time + frame, in: viewport) == nil)
    }

    @Test(arguments: [0.0, 40])
    mutating func `a rest that no frame showed is told from a catch by the next touch`(
        away: Double
    ) throws {
        predictor = FlingPredictor(learning: FlingLearner(), slop: 0, lead: 0)
        stroke()
        // The frames in which it still moves by a pixel now and then.
        let end = path.target - 8
        let count = (0...Int(path.duration / frame)).last { path.offset(at: frame * $0) < end } ?? 0
        follow(frames: count)
        #expect(predictor.learner?.count == 0)
        let offset = path.offset(at: frame * count).rounded() + away
        predictor.fingerDown(900, at: lift + path.duration + .seconds(2), offset: offset)
        #expect(predictor.learner?.count == (away == 0 ? 1 : 0))
    }

    @Test mutating func `a predictor that is told no frames learns nothing wrong`() throws {
        stroke()
        let target = try #require(predictor.forecast).target
        for number in 1...20 { stroke(at: .seconds(10 * number)) }
        #expect(try #require(predictor.forecast).target == target)
    }

    @Test mutating func `times that stand still or run backwards are no news`() throws {
        stroke()
        let fling = follow(frames: 10)
        let before = try #require(fling)
        let again = predictor.observe(70_000, at: lift + frame * 10, in: viewport)
        #expect(try #require(again).target == before.target)
        let back = predictor.observe(-70_000, at: .zero, in: viewport)
        #expect(try #require(back).target == before.target)
    }

    @Test mutating func `wild numbers are survived`() {
        for y in [1e300, -1e300, 1e15, -1e-300] {
            predictor.fingerDown(0, at: .zero, offset: 1e300)
            predictor.fingerMoved(y / 2, at: Instant(nanoseconds: 1))
            _ = predictor.fingerUp(y, at: Instant(nanoseconds: 2), in: viewport)
            _ = predictor.observe(y, at: Instant(nanoseconds: 3), in: viewport)
            _ = predictor.observe(-y, at: .seconds(1_000_000_000), in: viewport)
        }
    }
}
