import ScrollModel
import TestSupport
import Testing

/// The way from what happens to a list to how it moves, on a list of 100 px rows seen through 800 px.
struct ScrollTrackerTests {
    private struct Scene {
        var tracker: ScrollTracker
        var now = Instant.zero

        init(scroller: Scroller? = Scroller(.chromium)) throws {
            let rows = try RowHeights(count: 1_000, height: 100)
            tracker = ScrollTracker(Viewport(rows: rows, height: 800), scroller: scroller)
        }

        @discardableResult
        mutating func frame(at offset: Double? = nil, after time: Duration = .milliseconds(16))
            -> ScrollState
        {
            now = now.advanced(by: time)
            return tracker.note(.frame, at: now, offset: offset)
        }

        /// Shows a list that moves evenly, in px per second.
        mutating func move(at velocity: Double, frames: Int) {
            for _ in 0..<frames { frame(at: tracker.viewport.offset + velocity * 0.016) }
        }

        /// Moves a finger up, which the list follows, and lets it go; returns the moment of that.
        mutating func stroke() -> ScrollState {
            tracker.note(.down(y: 700), at: now)
            for step in 1...8 {
                now = now.advanced(by: .milliseconds(8))
                let way = Double(step) * 24
                tracker.note(.moved(y: 700 - way), at: now)
                tracker.note(.frame, at: now, offset: max(0, way - 15))
            }
            now = now.advanced(by: .milliseconds(8))
            return tracker.note(.up(y: 700 - 216), at: now)
        }
    }

    @Test func `a stroke, its fling and its rest are phases of one motion`() throws {
        var scene = try Scene()
        #expect(scene.frame().motion.phase == .resting)
        scene.tracker.note(.down(y: 700), at: scene.now)
        #expect(scene.tracker.motion.phase == .dragging && scene.tracker.motion.isTouched)
        let lift = scene.stroke()
        #expect(!lift.motion.isTouched && lift.motion.phase == .decelerating)
        let fling = try #require(lift.forecast?.path)
        let start = scene.now
        while scene.now - start < fling.duration + .milliseconds(200) {
            let moment = scene.frame(at: fling.offset(at: scene.now - start + .milliseconds(16)))
            #expect(moment.viewport.phase == moment.motion.phase)
        }
        #expect(scene.tracker.motion.phase == .resting && scene.tracker.motion.velocity == 0)
        #expect(scene.tracker.viewport.offset == fling.target && scene.tracker.forecast == nil)
    }

    @Test func `the forecast of a fling stays with its path, and is gone with the next finger`()
        throws
    {
        var scene = try Scene()
        let lift = scene.stroke()
        let (fling, start) = (try #require(lift.forecast?.path), scene.now)
        for _ in 0..<20 {
            let moment = scene.frame(at: fling.offset(at: scene.now - start + .milliseconds(16)))
            let forecast = try #require(moment.forecast)
            #expect(abs(forecast.target - fling.target) < 100)
            let left = try #require(forecast.remaining)
            #expect(abs((left - (fling.duration - (scene.now - start))).inSeconds) < 0.05)
        }
        let caught = scene.tracker.note(.down(y: 300), at: scene.now)
        #expect(caught.forecast == nil && caught.motion.isTouched)
    }

    @Test(arguments: [
        ScrollEvent.wheel, .key, .cancelled, .changed(shift: nil), .jumpBegan(target: 9_000),
    ])
    func `whatever else moves the list ends the forecast`(event: ScrollEvent) throws {
        var scene = try Scene()
        #expect(scene.stroke().forecast != nil)
        #expect(scene.tracker.note(event, at: scene.now).forecast == nil)
    }

    @Test(arguments: [-3_000.0, -20, 20, 1_000, 3_000])
    func `the velocity is what frames show, and the direction the last there was`(
        velocity: Double
    ) throws {
        var scene = try Scene()
        scene.frame(at: 50_000)
        scene.move(at: velocity, frames: 10)
        #expect(abs(scene.tracker.motion.velocity - velocity) < 1e-6 * abs(velocity))
        #expect(scene.tracker.motion.direction == (velocity > 0 ? 1 : -1))
        scene.frame(after: .milliseconds(16))
        for _ in 0..<10 { scene.frame() }
        #expect(scene.tracker.motion.velocity == 0)
        #expect(scene.tracker.motion.direction == (velocity > 0 ? 1 : -1))
        #expect(scene.tracker.motion.timeAtRest(at: scene.now) == .milliseconds(176))
        #expect(scene.tracker.motion.hasRested(for: .milliseconds(176), at: scene.now))
        #expect(!scene.tracker.motion.hasRested(for: .milliseconds(177), at: scene.now))
    }

    @Test func `a jump has its target until it ends, within the list`() throws {
        var scene = try Scene()
        scene.frame()
        let begun = scene.tracker.note(.jumpBegan(target: 1e9), at: scene.now)
        #expect(begun.motion.phase == .animating(target: 99_200))
        #expect(begun.motion.target == 99_200)
        scene.move(at: 5_000, frames: 3)
        let ended = scene.tracker.note(.jumpEnded, at: scene.now)
        #expect(ended.motion.target == nil && ended.motion.phase == .decelerating)
    }

    @Test func `a jump that nothing follows, not even its end, is over as the list rests`() throws {
        var scene = try Scene()
        scene.frame()
        scene.tracker.note(.jumpBegan(target: 5_000), at: scene.now)
        for _ in 0..<3 { #expect(scene.frame().motion.phase == .animating(target: 5_000)) }
        #expect(scene.frame().motion.phase == .resting && scene.tracker.motion.target == nil)
    }

    @Test func `an edit shifts what frames have shown, and keeps a finger`() throws {
        var scene = try Scene()
        scene.frame(at: 5_000)
        scene.move(at: 2_000, frames: 10)
        let moment = try scene.tracker.change(at: scene.now) {
            $0.height = 400
            try $0.perform([.insertRow(RowIndex(section: 0, row: 0))]) { _ in 300 }
            try $0.measure(60, of: .row(RowIndex(section: 0, row: 1)))
        }
        #expect(moment.event == .changed(shift: 260) && moment.viewport.height == 400)
        #expect(abs(moment.motion.velocity - 2_000) < 1e-6)
        scene.move(at: 2_000, frames: 1)
        #expect(abs(scene.tracker.motion.velocity - 2_000) < 1e-6)
        scene.tracker.note(.down(y: 100), at: scene.now)
        #expect(scene.tracker.change(at: scene.now) { _ in }.motion.isTouched)
        let scrolled = scene.tracker.change(at: scene.now) { $0.scroll(to: 0) }
        #expect(scrolled.event == .changed(shift: nil) && scrolled.motion.velocity == 0)
        struct Trouble: Error {}
        #expect(throws: Trouble.self) {
            try scene.tracker.change(at: scene.now) { _ in throw Trouble() }
        }
    }

    @Test(arguments: [false, true])
    func `an edit in a fling shifts the landing with the rows in view`(isReported: Bool) throws {
        var scene = try Scene()
        let lift = scene.stroke()
        let (fling, start) = (try #require(lift.forecast?.path), scene.now)
        if isReported { scene.tracker.note(.up(y: 484, target: fling.target), at: scene.now) }
        var shift = 0.0
        for number in 1...20 {
            let place = fling.offset(at: scene.now - start + .milliseconds(16)) + shift
            let moment = scene.frame(at: place)
            #expect(abs(try #require(moment.forecast).target - fling.target - shift) < 1)
            guard number % 5 == 0 else { continue }
            // A while after the frame, and no frame of the list's motion.
            let later = scene.now.advanced(by: .milliseconds(100 * (number % 2)))
            let before = try #require(moment.forecast).target
            let edit = try scene.tracker.change(at: later) {
                let rows = [ListUpdate.insertRow(RowIndex(section: 0, row: 0))]
                let place = $0.offset
                try $0.perform(rows) { _ in 90 }
                shift += $0.offset - place
            }
            #expect(abs(try #require(edit.forecast).target - before - 90) < 1e-6)
            #expect(edit.motion.velocity == moment.motion.velocity)
        }
        #expect(abs(shift - 360) < 1e-9)
    }

    /// A list whose scroller reports a target, from a lift without a finger's move.
    private func reporting(
        _ target: Double, from offset: Double = 10_000, scroller: Scroller? = nil
    ) throws -> Scene {
        var scene = try Scene(scroller: scroller)
        scene.frame(at: offset)
        for _ in 0..<10 { scene.frame() }
        scene.tracker.note(.down(y: 700), at: scene.now)
        let up = scene.tracker.note(.up(y: 700, target: target), at: scene.now)
        #expect(up.forecast?.target == target && up.motion.target == target)
        return scene
    }

    @Test(arguments: [FlingModelName.flutter, .chromium, .uiKit], [Scroller?.none, Scroller(.qt)])
    func `a reported target holds on any path to it, with or without a finger`(
        name: FlingModelName, scroller: Scroller?
    ) throws {
        let path = Scroller(name).fling(from: 10_000, velocity: 8_000, viewportHeight: 800)
        var scene = try reporting(path.target, scroller: scroller)
        let start = scene.now
        while scene.now - start < path.duration {
            let moment = scene.frame(at: path.offset(at: scene.now - start + .milliseconds(16)))
            #expect(moment.forecast?.target == path.target)
            #expect(moment.motion.target == path.target && moment.motion.phase == .decelerating)
        }
        for _ in 0..<5 { scene.frame() }
        #expect(scene.tracker.forecast == nil && scene.tracker.motion.target == nil)
    }

    @Test func `a reported target ends as the list rests elsewhere, turns, or goes past it`()
        throws
    {
        var scene = try reporting(12_000)
        for _ in 0..<3 { #expect(scene.frame().forecast?.target == 12_000) }
        #expect(scene.frame().forecast == nil, "nothing moves")

        scene = try reporting(12_000)
        scene.frame(at: 9_950)
        #expect(scene.tracker.forecast?.target == 12_000, "the drag may still show")
        scene.move(at: 2_000, frames: 3)
        #expect(scene.tracker.forecast?.target == 12_000)
        scene.move(at: -2_000, frames: 1)
        #expect(scene.tracker.forecast == nil)

        scene = try reporting(12_000)
        scene.move(at: 1_000, frames: 126)
        #expect(scene.tracker.forecast?.target == 12_000, "it swings past it")
        scene.move(at: 1_000, frames: 1)
        #expect(scene.tracker.forecast == nil)

        for event in [ScrollEvent.down(y: 1), .wheel, .key, .jumpBegan(target: 0)] {
            scene = try reporting(12_000)
            scene.frame(at: 10_030)
            #expect(scene.tracker.note(event, at: scene.now).forecast == nil)
        }
    }

    @Test func `a list that is to move to a target hasn't rested`() throws {
        for event in [ScrollEvent.up(y: 700, target: 12_000), .jumpBegan(target: 12_000)] {
            var scene = try Scene()
            for _ in 0..<20 { scene.frame() }
            scene.tracker.note(event, at: scene.now)
            scene.frame()
            #expect(!scene.tracker.motion.hasRested(for: .milliseconds(60), at: scene.now))
            #expect(scene.tracker.motion.timeAtRest(at: scene.now) == .zero)
        }
    }

    @Test func `numbers that make no sense are ignored and counted, whatever they belong to`()
        throws
    {
        let wild = [Double.nan, .infinity, -.infinity, 1e300, -1e300]
        for number in wild {
            var scene = try Scene()
            scene.frame(at: 5_000)
            scene.tracker.note(.down(y: number), at: scene.now)
            scene.tracker.note(.moved(y: number), at: scene.now)
            #expect(scene.tracker.ignored == 2 && !scene.tracker.motion.isTouched)
            scene.tracker.note(.down(y: 10), at: scene.now)
            scene.tracker.note(.up(y: number), at: scene.now)
            #expect(scene.tracker.ignored == 3 && !scene.tracker.motion.isTouched)
            scene.tracker.resize(to: number)
            scene.tracker.note(.changed(shift: number), at: scene.now)
            scene.tracker.note(.up(y: 10, target: number), at: scene.now)
            scene.tracker.note(.jumpBegan(target: number), at: scene.now)
            scene.frame(at: number)
            scene.tracker.note(.frame, at: .distantFuture)
            scene.tracker.note(.frame, at: Instant(nanoseconds: .min))
            scene.frame(at: 4_000)
            let viewport = scene.tracker.viewport
            #expect((0...viewport.maximumOffset).contains(viewport.offset))
            #expect(viewport.height >= 0 && viewport.height.isFinite)
            #expect(scene.tracker.ignored > 3)
            _ = Scroller(.chromium).fling(
                from: number, velocity: number, viewportHeight: number
            ).offset(at: .seconds(1))
        }
        var scene = try Scene()
        scene.frame(at: 5_000)
        scene.frame(at: .nan)
        #expect(scene.tracker.viewport.offset == 5_000 && scene.tracker.ignored == 1)
        scene.tracker.resize(to: -1)
        #expect(scene.tracker.viewport.height == 800 && scene.tracker.ignored == 2)
    }

    @Test func `an offset is never printed as a negative zero`() throws {
        var viewport = Viewport(rows: try RowHeights(count: 10, height: 100), height: 400)
        for place in [0, -0.0, -5, -Double.infinity] {
            viewport.scroll(to: 50)
            viewport.scroll(to: place)
            #expect("\(viewport.offset)" == "0.0")
        }
        #expect("\(Viewport(ListLayout(RowHeights()), height: 10).offset)" == "0.0")
    }

    @Test func `a finger that isn't heard of for ten seconds is gone`() throws {
        var scene = try Scene()
        scene.tracker.note(.down(y: 100), at: scene.now)
        let start = scene.now
        #expect(scene.tracker.noteSilence(at: start.advanced(by: .seconds(10))).motion.isTouched)
        let late = start.advanced(by: .seconds(10) + .nanoseconds(1))
        #expect(!scene.tracker.noteSilence(at: late).motion.isTouched)
        #expect(scene.tracker.lastEvent == start)
    }

    @Test(arguments: seeds(0..<200))
    func `whatever is told in whatever order, figures are finite and the list in its bounds`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var scene = try Scene(scroller: Bool.random(using: &random) ? nil : Scroller(.android))
        let places = [-1e9, -1, 0, 0.5, 400, 99_200, 1e9]
        for _ in 0..<300 {
            let y = Double.random(in: -50...900, using: &random)
            let place = places.randomElement(using: &random) ?? 0
            let events: [ScrollEvent] = [
                .down(y: y), .moved(y: y), .moved(y: y), .up(y: y), .up(y: y, target: place),
                .cancelled, .wheel, .key, .jumpBegan(target: place), .jumpEnded, .frame, .frame,
            ]
            // Also at the same time again, and backwards.
            scene.now = scene.now.advanced(
                by: .milliseconds(Int.random(in: -4...30, using: &random)))
            let moment: ScrollState
            switch Int.random(in: 0..<12, using: &random) {
            case 0: moment = scene.tracker.noteSilence(at: scene.now)
            case 1: moment = scene.tracker.change(at: scene.now) { $0.height = abs(y) }
            default:
                moment = scene.tracker.note(
                    events.randomElement(using: &random) ?? .frame, at: scene.now,
                    offset: Bool.random(using: &random) ? nil : place)
            }
            let (viewport, motion) = (moment.viewport, moment.motion)
            let bounds = 0...viewport.maximumOffset
            #expect(bounds.contains(viewport.offset))
            #expect(motion.velocity.isFinite && abs(motion.direction) == 1)
            #expect(viewport.phase == motion.phase)
            #expect(motion.timeAtRest(at: moment.now) >= .zero)
            if let forecast = moment.forecast {
                #expect(!motion.isTouched && bounds.contains(forecast.target))
                #expect(forecast.remaining.map { $0 >= .zero } ?? true)
            }
        }
    }
}
