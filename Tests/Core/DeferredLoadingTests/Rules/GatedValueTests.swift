import DeferredLoading
import IdleLoop
import ScrollModel
import Testing

/// The rule by which pictures for a page are made.
struct GatedValueTests {
    /// A list of rows of 40 px in a window of 800, and what the rule says of it.
    private struct Scene {
        var rule = GatedValue()
        var tracker: ScrollTracker
        var wanted: [Wanted<Int>] = []
        var now = Instant(nanoseconds: 1_000_000_000)

        init() throws {
            tracker = ScrollTracker(
                Viewport(rows: try RowHeights(count: 2000, height: 40), height: 800))
        }

        var rows: [Int] { wanted.map(\.key).sorted() }
        var view: Range<Int> { tracker.viewport.visibleRows }

        mutating func wait(_ milliseconds: Int64) {
            now = now.advanced(by: .milliseconds(milliseconds))
        }

        /// Whether the rule has answered.
        @discardableResult
        mutating func say(_ event: ScrollEvent, offset: Double? = nil) -> Bool {
            ask(tracker.note(event, at: now, offset: offset))
        }

        @discardableResult
        mutating func ask(_ moment: ScrollState) -> Bool {
            guard let answer = rule.wanted(after: moment, loads: NoLoadStatus()) else {
                return false
            }
            wanted = answer
            return true
        }

        @discardableResult
        mutating func show(_ offset: Double, after milliseconds: Int64 = 16) -> Bool {
            wait(milliseconds)
            return say(.frame, offset: offset)
        }

        /// Lifts the finger into a fling; gives the rows around where it will rest.
        mutating func lift(at velocity: Double) -> (landing: Range<Int>, duration: Duration) {
            let viewport = tracker.viewport
            let fling = Scroller(.chromium).fling(
                from: viewport.offset, velocity: velocity,
                bounds: viewport.minimumOffset...viewport.maximumOffset,
                viewportHeight: viewport.height)
            var moment = tracker.note(.up(y: 400), at: now)
            moment.forecast = FlingForecast(
                target: fling.target, velocity: velocity, path: fling)
            ask(moment)
            let rows = viewport.visibleRows(at: fling.target)
            return (rows.lowerBound - 3..<rows.upperBound + 3, fling.duration)
        }
    }

    @Test func `while a finger holds the list only rows in view are wanted`() throws {
        var scene = try Scene()
        scene.show(0)
        scene.show(0, after: 300)
        #expect(Set(0..<20).isSubset(of: scene.rows))
        scene.say(.down(y: 400))
        for step in 1...20 {
            scene.show(Double(step) * 8)
            scene.say(.moved(y: 400 - Double(step) * 8))
            #expect(scene.rows.allSatisfy(scene.view.contains))
        }
        #expect(scene.rows.contains(scene.view.upperBound - 1))
        scene.say(.cancelled)
        scene.show(160, after: 300)
        #expect(Set(scene.view).isSubset(of: scene.rows))
    }

    @Test func `the landing of a long fling is wanted a fifth of a second after the lift`() throws {
        var scene = try Scene()
        scene.show(0)
        scene.show(0, after: 300)
        let before = Set(scene.rows)
        scene.say(.down(y: 400))
        scene.wait(50)
        let (landing, duration) = scene.lift(at: 9000)
        #expect(duration >= .milliseconds(800) && landing.lowerBound > 40)
        #expect(scene.rule.gate == landing)
        #expect(Set(scene.rows).isSubset(of: before.intersection(scene.view)))
        scene.show(500, after: 199)
        #expect(Set(scene.rows).isDisjoint(with: landing))
        let isSaid = scene.show(505, after: 1)
        #expect(isSaid && scene.rows == Array(landing))
        #expect(scene.wanted.allSatisfy { $0.urgency == .landing })
        let isSaidAgain = scene.show(600)
        #expect(!isSaidAgain)
    }

    @Test func `the landing of a short fling is wanted at once`() throws {
        var scene = try Scene()
        scene.show(0)
        scene.say(.down(y: 400))
        scene.wait(50)
        let (landing, duration) = scene.lift(at: 1500)
        #expect(duration < .milliseconds(800))
        #expect(scene.rule.gate == landing)
        #expect(scene.rows == Array(landing))
    }

    @Test func `a touch lets go of a landing that was held`() throws {
        var scene = try Scene()
        scene.show(0)
        scene.say(.down(y: 400))
        scene.wait(50)
        _ = scene.lift(at: 9000)
        scene.show(100)
        scene.say(.down(y: 400))
        #expect(scene.rule.gate == nil)
        for _ in 0..<30 {
            scene.show(100)
            #expect(scene.rows.allSatisfy(scene.view.contains))
        }
        #expect(scene.rows == Array(scene.view))
    }

    @Test func `while the list moves fast to nobody knows where nothing new is wanted`() throws {
        var scene = try Scene()
        scene.show(0)
        scene.show(0, after: 300)
        scene.say(.wheel)
        var offset = 0.0
        var before = Set(scene.rows)
        // 1.6 windows a second, and later 1.4.
        for frame in 1...60 {
            offset += 1.6 * 800 * 0.016
            scene.show(offset)
            // The speed is known when the frames before the wheel don't count any more.
            if frame > 6 {
                #expect(scene.rows.allSatisfy { scene.view.contains($0) && before.contains($0) })
            }
            before = Set(scene.rows)
        }
        #expect(scene.rows.isEmpty)
        for _ in 1...10 {
            offset += 1.4 * 800 * 0.016
            scene.show(offset)
        }
        #expect(!scene.rows.isEmpty)
        scene.show(offset, after: 300)
        #expect(Set(scene.view).isSubset(of: scene.rows))
    }
}
