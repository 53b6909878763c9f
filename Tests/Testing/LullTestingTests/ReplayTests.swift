import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import TestSupport
import Testing

struct ReplayTests {
    @Test(arguments: ["chromium-fling-reverse", "chromium-fling-train-read"], Setting.allCases)
    func `two replays are the same to the last note`(_ name: String, _ setting: Setting) throws {
        func notes() throws -> [String] {
            var options = ReplayOptions(setting)
            options.lanes = name.hasSuffix("reverse") ? 2 : 0
            let replay = try Replay(
                of: try Shipped.trace(name), in: Shipped.list(name), policy: LandingRows(),
                options: options)
            var notes: [String] = []
            replay.onNote = { notes.append("\($0) \($1)") }
            let outcome = try replay.run()
            return notes + ["\(outcome.figures)", "\(outcome.loop)"]
        }
        #expect(try notes() == notes())
    }

    @Test(arguments: Shipped.names)
    func `blank is what a recount by hand gives`(_ name: String) throws {
        for (rule, slicing, lanes) in [
            (ListRule.visible, Slicing.lull, 0), (.within(rows: 3), .whole, 0),
            (.everything, .sliced, 0), (.everything, .whole, 3),
        ] {
            var options = ReplayOptions(.heavy, slicing)
            options.lanes = lanes
            let replay = try Replay(
                of: try Shipped.trace(name), in: Shipped.list(name),
                policy: rule, options: options)
            var loaded: Set<Int> = []
            var frames: [(number: Int, missing: Int)] = []
            replay.onNote = { _, note in
                switch note {
                case .finished(let row):
                    loaded.insert(row)
                case .frame(let number, let visible, _):
                    // The first screen is there before the trace begins.
                    if frames.isEmpty { loaded.formUnion(visible) }
                    frames.append((number, visible.count { !loaded.contains($0) }))
                case .wanted, .began, .failed:
                    break
                }
            }
            let figures = try replay.run().figures
            func due(_ number: Int) -> Duration {
                .nanoseconds(1_000_000 + Int64(number) * 1_000_000_000 / 60)
            }
            var blank = Duration.zero
            for (index, frame) in frames.enumerated() {
                let next =
                    index + 1 < frames.count ? frames[index + 1].number : frame.number + 1
                blank += (due(next) - due(frame.number)) * frame.missing
            }
            #expect(figures.blank == blank)
            #expect(frames.count == figures.framesShown)
        }
    }

    @Test(arguments: Shipped.names, Setting.allCases)
    func `in lulls no frame is late and no job is lost`(_ name: String, _ setting: Setting) throws {
        for (rule, lanes) in [
            (ListRule.visible, 0), (.within(rows: 3), 0), (.everything, 0), (.everything, 2),
        ] {
            var options = ReplayOptions(setting)
            options.lanes = lanes
            let figures = try Replay(
                of: try Shipped.trace(name), in: Shipped.list(name), policy: rule, options: options
            ).run().figures
            #expect(figures.queue.isConserved && figures.queue.waiting == 0)
            // One PageDown takes so many rows on screen that no engine has that frame in time.
            if name != "chromium-keys-pagedown" { #expect(figures.framesLate == 0) }
        }
    }

    @Test(arguments: [1, 2, 5], Slicing.allCases)
    func `lanes load beside the loop, one slice at a time each`(
        _ lanes: Int, _ slicing: Slicing
    ) throws {
        let name = "chromium-fling-reverse"
        var options = ReplayOptions(.heavy, slicing)
        options.lanes = lanes
        options.isLogged = true
        let replay = try Replay(
            of: try Shipped.trace(name), in: Shipped.list(name), policy: .everything,
            options: options)
        var began = 0
        replay.onNote = { _, note in if case .began = note { began += 1 } }
        let figures = try replay.run().figures
        let slices = try #require(replay.log).slices
        #expect(slices.reduce(.zero) { $0 + ($1.end - $1.start) } == figures.loadCost)
        #expect(began >= figures.loadsStarted)
        // In the frame, nothing is left to lanes.
        let used = slicing == .inFrame ? 0...0 : 1...lanes
        #expect(Set(slices.map(\.lane)) == Set(used))
        for lane in used {
            let own = slices.filter { $0.lane == lane }
            #expect(zip(own, own.dropFirst()).allSatisfy { $0.end <= $1.start })
        }
    }

    @Test func `lanes on the machine's clock are refused`() async {
        await #expect(processExitsWith: .failure) {
            var options = ReplayOptions()
            (options.lanes, options.clock) = (1, .real)
            let list = Viewport(rows: try RowHeights([]), height: 800)
            _ = try Replay(
                of: TraceBuilder("rest").trace, in: list, policy: .visible, options: options)
        }
    }

    @Test func `a small queue loads all the same`() throws {
        var few = ReplayOptions()
        few.queueLimit = 2
        let outcome = try Replay(
            of: try Shipped.trace("chromium-fling-flywheel-4"),
            in: Shipped.list("chromium-fling-flywheel-4"), policy: EverythingNear(), options: few
        ).run()
        #expect(outcome.unsettled.isEmpty)
        #expect(outcome.figures.queue.longest == 2)
    }

    @Test func `as many loads wait as in a list's own queue, and none is missing at the end`()
        throws
    {
        let name = "chromium-fling-flywheel-4"
        func outcome(_ change: (inout ReplayOptions) -> Void) throws -> Replay.Outcome {
            var options = ReplayOptions(.heavy)
            change(&options)
            return try Replay(
                of: try Shipped.trace(name), in: Shipped.list(name), policy: EverythingNear(),
                options: options
            ).run()
        }
        let shipped = try outcome { _ in }
        #expect(shipped.figures.queue.longest == 30)
        #expect(shipped.unsettled.isEmpty)
        #expect(try outcome { $0.queueLimit = nil }.figures.queue.longest > 30)
    }

    @Test(arguments: [4, 15, 40])
    func `a replay keeps what its loader keeps`(_ capacity: Int) throws {
        let name = "chromium-fling-reverse"
        var options = ReplayOptions()
        options.limits.capacity = capacity
        options.isLogged = true
        let replay = try Replay(
            of: try Shipped.trace(name), in: Shipped.list(name), policy: .everything,
            options: options)
        var loaded: Set<Int> = []
        var shown = RowSet(0..<0)
        replay.onNote = { [unowned replay] _, note in
            switch note {
            case .finished(let row): loaded.insert(row)
            case .frame(let number, let visible, let missing):
                loaded.formUnion(visible)
                loaded = loaded.filter { replay.isSettled(row: $0) }
                // Rows on screen stay; at the start of a frame, so do those of the one before.
                let onScreen = Set(shown).union(visible)
                #expect(loaded.count <= max(capacity, onScreen.count))
                shown = visible
                // The first screen is there, even if it is more than there is room for.
                #expect(number > 0 || missing == 0)
            case .wanted, .began, .failed: break
            }
        }
        #expect(try replay.run().unsettled.isEmpty)
        let evicted = try #require(replay.log).decisions.filter {
            if case .evicted = $0.kind { true } else { false }
        }
        #expect(!evicted.isEmpty)
        #expect(evicted.allSatisfy { $0.reason?.contains("\(capacity) values") == true })
    }

    @Test func `fingers alone move the list and fling it`() throws {
        let recorded = try Shipped.trace("chromium-fling-down-5000")
        let fingers = Trace(name: "fingers", events: recorded.events, samples: [])
        let list = Viewport(
            rows: Shipped.heights, height: 915, offset: recorded.samples.first?.offset ?? 0)
        let path = OffsetPath(of: fingers, in: list, scroller: Scroller(.chromium))
        // 433 px of drag, then a fling that is as long as the recorded one.
        #expect(abs(path.offset(at: fingers.end) - (list.offset + 433.44)) < 0.01)
        #expect(path.end == fingers.end + .seconds(2))
        let landing = recorded.samples.last?.offset ?? 0
        #expect(abs(path.offset(at: .distantFuture) - landing) < 40)
        let outcome = try Replay(of: fingers, in: list, policy: LandingRows()).run()
        #expect(outcome.unsettled.isEmpty)
        #expect(outcome.figures.rests == 1)
    }

    @Test func `a touch catches a fling, and a wheel is clamped each time`() {
        let list = Viewport(rows: Shipped.heights, height: 915)
        var events: [Trace.Event] = [.init(time: .zero, .down(y: 800))]
        for step in 1...10 {
            events.append(
                .init(time: .milliseconds(8 * step), .move(y: 800 - 40 * Double(step))))
        }
        events.append(.init(time: .milliseconds(88), .up(y: 400)))
        events.append(.init(time: .milliseconds(300), .down(y: 500)))
        events.append(.init(time: .milliseconds(310), .cancel(y: 500)))
        events.append(.init(time: .milliseconds(900), .wheel(dy: -1e9)))
        events.append(.init(time: .milliseconds(950), .wheel(dy: 120)))
        let path = OffsetPath(
            of: Trace(name: "t", events: events, samples: []), in: list,
            scroller: Scroller(.chromium))
        #expect(path.offset(at: .milliseconds(88)) == 400)
        #expect(path.offset(at: .milliseconds(299)) > 800)
        #expect(
            path.offset(at: .milliseconds(300))
                == path.offset(at: Instant(nanoseconds: 899_999_999)))
        #expect(path.offset(at: .milliseconds(900)) == 0)
        #expect(path.offset(at: .distantFuture) == 120)
    }

    @Test func `a slop is lost once, where it is passed`() throws {
        let list = Viewport(rows: try RowHeights(count: 100, height: 100), height: 800, offset: 500)
        let moves: [Trace.Input] = [
            .down(y: 300), .move(y: 290), .move(y: 280), .move(y: 310), .cancel(y: 310),
            .down(y: 300), .move(y: 312), .up(y: 312),
        ]
        let events = moves.enumerated().map {
            Trace.Event(time: .milliseconds(8 * $0.offset), $0.element)
        }
        let path = OffsetPath(
            of: Trace(name: "t", events: events, samples: []), in: list,
            scroller: Scroller(.chromium), slop: 15)
        let offsets = events.map { path.offset(at: $0.time) }
        #expect(offsets == [500, 500, 505, 475, 475, 475, 475, 475])
    }

    @Test func `on the machine's clock, what is in view at the end is waited for`() throws {
        var options = ReplayOptions()
        options.clock = .real
        options.isWarm = false
        options.cost = .milliseconds(2)
        options.quiet = .zero
        let list = Viewport(rows: try RowHeights(count: 100, height: 100), height: 800)
        let replay = try Replay(
            of: TraceBuilder("rest").trace, in: list, policy: ListRule.visible, options: options)
        try replay.start()
        try replay.advance(to: .zero + options.phase)
        #expect(try replay.finish().unsettled == [])
        #expect((0..<8).allSatisfy { replay.isSettled(row: $0) })
    }

    @Test func `an empty list and an empty second are no trouble`() throws {
        let nothing = Viewport(rows: try RowHeights([]), height: 800)
        let trace = Trace(name: "t", events: [], samples: [.init(time: .zero, offset: 0)])
        let figures = try Replay(of: trace, in: nothing, policy: LandingRows()).run().figures
        #expect(figures.framesShown == 90)
        #expect(figures.blank == .zero)
    }
}
