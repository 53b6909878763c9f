import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import TestSupport
import Testing

/// Traces played into lists of a program's own.
struct PlayTests {
    /// The loads of keys, of which each takes so long, or fails.
    private struct Names: LoadSource {
        struct Refused: Error {}

        let time: VirtualTime
        let cost: Duration
        var refused: Set<String> = []

        func load(_ name: String, fetched: Never?) throws -> any Load<String> {
            Name(name, time, refused.contains(name) ? nil : cost)
        }
    }

    private final class Name: Load {
        let (name, time): (String, VirtualTime)
        var rest: Duration?

        init(_ name: String, _ time: VirtualTime, _ cost: Duration?) {
            (self.name, self.time, rest) = (name, time, cost)
        }

        func step(in slot: borrowing IdleSlot) throws -> LoadStep<String> {
            guard let rest else { throw Names.Refused() }
            let part = min(rest, max(.zero, slot.now.duration(to: slot.sliceEnd)))
            time.charge(part)
            self.rest = rest - part
            return part == rest ? .done(name) : .more
        }
    }

    /// A rule that notes what it is told, but frames, and wants what is visible.
    private final class Witness: LoadingPolicy {
        var events: [String] = []
        private var rule = VisibleRows()

        func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
            if let event = moment.event, event != .frame { events.append("\(event)") }
            return rule.wanted(after: moment, loads: loads)
        }
    }

    private struct Bench {
        let time = VirtualTime()
        let loop: MainLoop
        let list: DeferredList<String, String>
        let witness = Witness()

        init(_ viewport: Viewport) throws {
            loop = try MainLoop(clock: .virtual(time))
            list = try DeferredList(
                on: loop, viewport, source: Names(time: time, cost: .milliseconds(1)),
                options: .init(rule: witness), key: { "row \($0)" }, show: { _, _ in })
        }
    }

    @Test(arguments: [
        "chromium-fling-train-read", "chromium-keys-pagedown", "chromium-scroll-to-top-smooth",
        "chromium-fling-catch-tap",
    ])
    func `a list is told what a replay tells`(_ name: String) throws {
        let trace = try Shipped.trace(name)
        let bench = try Bench(Shipped.list(name))
        trace.play(into: bench.list)
        try bench.loop.run()
        let replayed = Witness()
        _ = try Replay(of: trace, in: Shipped.list(name), policy: replayed).run()
        #expect(bench.witness.events == replayed.events)
        #expect(bench.list.viewport.offset == trace.samples.last?.offset)
        #expect(
            bench.list.viewport.visibleRows.allSatisfy { bench.list.state(ofRow: $0).isSettled })
    }

    @Test func `fingers alone move the list by a scroller, frame by frame`() throws {
        let bench = try Bench(Viewport(rows: try RowHeights(count: 500, height: 100), height: 400))
        var hand = TraceBuilder("fling")
        hand.fling(at: 4_000)
        bench.time.charge(.seconds(5))
        let path = OffsetPath(
            of: hand.trace, in: bench.list.viewport, scroller: Scroller(.chromium))
        let length = path.end - Instant.zero
        var frames: [Duration] = []
        let end = hand.trace.play(into: bench.list, hz: 100) { time in
            frames.append(time)
            #expect(bench.list.viewport.offset == path.offset(at: .zero + time))
        }
        #expect(end == bench.time.now + length)
        try bench.loop.run()
        #expect(frames.first == .zero)
        #expect(frames.count == Int(length / .milliseconds(10)) + 2)
        #expect(try #require(frames.last) >= length)
        #expect(bench.list.viewport.offset == path.offset(at: .distantFuture))
    }

    @Test func `a list that is closed, or gone, ends the play`() throws {
        let trace = try Shipped.trace("chromium-fling-train-read")
        for isClosed in [true, false] {
            var bench: Bench? = try Bench(Shipped.list("chromium-fling-train-read"))
            let (loop, time) = (try #require(bench).loop, try #require(bench).time)
            var frames = 0
            trace.play(into: try #require(bench).list) { _ in frames += 1 }
            try loop.run(until: .zero + .milliseconds(100))
            if isClosed { bench?.list.close() } else { bench = nil }
            let before = frames
            #expect(before == 7)
            try loop.run()
            #expect(frames == before)
            // What was scripted still happens, to nobody.
            #expect(time.now <= trace.end)
        }
    }

    @Test func `a play may close its list from a frame`() throws {
        let bench = try Bench(Shipped.list("chromium-fling-reverse"))
        var frames = 0
        try Shipped.trace("chromium-fling-reverse").play(into: bench.list) {
            [list = bench.list] _ in
            frames += 1
            if frames == 20 { list.close() }
        }
        try bench.loop.run()
        #expect(frames == 20)
    }

    // MARK: - Replays

    /// The model's rows, loaded by a list that was made as a program makes its own.
    private struct Rows: LoadSource {
        let work: DrawnWork
        let clock: LoopClock

        func load(_ row: Int, fetched: Never?) throws -> any Load<Bool> {
            Row(work.begin(row: row), clock)
        }
    }

    private final class Row: Load {
        let (load, clock): (any RowLoad, LoopClock)

        init(_ load: any RowLoad, _ clock: LoopClock) { (self.load, self.clock) = (load, clock) }

        func step(in slot: borrowing IdleSlot) throws -> LoadStep<Bool> {
            try load.step(until: slot.sliceEnd, on: clock) == nil ? .more : .done(true)
        }
    }

    @Test(arguments: ["chromium-fling-down-5000", "chromium-scroll-to-top-smooth"])
    func `a list of one's own has the figures of the model`(_ name: String) throws {
        let trace = try Shipped.trace(name)
        for rule in [ListRule.visible, .within(rows: 3)] {
            let model = try Replay(of: trace, in: Shipped.list(name), policy: rule).run()
            let own = try Replay(of: trace) { loop in
                try DeferredList(
                    on: loop, Shipped.list(name),
                    source: Rows(
                        work: DrawnWork(base: .milliseconds(1), seed: 1), clock: loop.clock),
                    options: .init(rule: rule, scroller: Scroller(.chromium)), key: { $0 },
                    show: { _, _ in })
            }.run()
            var figures = own.figures
            // It has loaded its first viewport in its own queue.
            figures.queue = model.figures.queue
            #expect(figures == model.figures, "\(rule)")
            #expect(own.unsettled == [])
        }
    }

    /// A list of 200 rows of 100 px, of which two each have a name; that of row 20 can't be loaded.
    private func pairs(
        _ loop: MainLoop, refused: Set<String> = ["pair 10"]
    ) throws -> DeferredList<String, String> {
        guard case .virtual(let time) = loop.clock else { throw Names.Refused() }
        let source = Names(time: time, cost: .milliseconds(2), refused: refused)
        let rows = try RowHeights(count: 200, height: 100)
        return try DeferredList(
            on: loop, Viewport(rows: rows, height: 800), source: source,
            options: .init(rule: .visible),
            key: { "pair \($0 / 2)" }, show: { _, _ in })
    }

    private var drag: Trace {
        var hand = TraceBuilder("drag")
        hand.drag(by: 3_000, over: .seconds(2))
        return hand.trace
    }

    @Test func `keys are counted, and what fails is told with its row`() throws {
        var options = ReplayOptions()
        options.isLogged = true
        let replay = try Replay(of: drag, options: options) { try pairs($0) }
        var notes: [String] = []
        replay.onNote = { _, note in
            switch note {
            case .frame, .wanted: break
            default: notes.append("\(note)")
            }
        }
        let outcome = try replay.run()
        // Rows 8 to 37 came into view: fifteen pairs, of which one failed.
        #expect(outcome.figures.loadsStarted == 15)
        #expect(outcome.figures.loadsFinished == 14)
        #expect(outcome.figures.loadsUseful == 14)
        #expect(outcome.figures.loadCost == .milliseconds(28))
        #expect(outcome.figures.wastedCost == .zero)
        #expect(outcome.figures.loadsFailed == 1)
        #expect(outcome.failures.map(\.row) == [20])
        #expect(outcome.failures.first?.reason is Names.Refused)
        #expect(outcome.unsettled == [])
        #expect(outcome.figures.blank > .zero)
        #expect(notes.prefix(2) == ["began(row: 8)", "finished(row: 8)"])
        #expect(replay.progress(ofRow: 37) == .settled)
        #expect(replay.log?.warm == Array(0..<8))
        #expect(replay.log?.decisions.contains { $0.key == 36 } == true)
    }

    @Test func `a cold list loads its first viewport in the replay`() throws {
        var options = ReplayOptions()
        options.isWarm = false
        let outcome = try Replay(of: drag, options: options) { try pairs($0, refused: []) }.run()
        #expect(outcome.figures.loadsFinished == 19)
    }

    @Test func `the observer of a list's own decisions is told of them, too`() throws {
        var decisions = 0
        _ = try Replay(of: drag) { loop in
            let list = try pairs(loop)
            list.loader.onDecision = { _ in decisions += 1 }
            return list
        }.run()
        #expect(decisions > 30)
    }

    @Test func `what a list does while it is edited and closed ends no replay`() throws {
        var list: DeferredList<String, String>?
        let replay = try Replay(of: drag) { loop in
            let made = try pairs(loop)
            list = made
            return made
        }
        try replay.start()
        try replay.advance(to: .zero + .seconds(1))
        try list?.perform([.insertRow(RowIndex(section: 0, row: 0))]) { _ in 300 }
        try replay.advance(to: .zero + .seconds(1.5))
        list?.close()
        try replay.advance(to: replay.end)
        #expect(try replay.finish().figures.loadsFinished > 3)
    }

    @Test func `mistakes are refused`() async {
        await #expect(processExitsWith: .failure) {
            let loop = try MainLoop(clock: .virtual(VirtualTime()))
            let list = try PlayTests().pairs(loop)
            TraceBuilder("rest").trace.play(into: list, hz: 0)
        }
        await #expect(processExitsWith: .failure) {
            let other = try MainLoop(clock: .virtual(VirtualTime()))
            _ = try Replay(of: TraceBuilder("rest").trace) { _ in try PlayTests().pairs(other) }
        }
        await #expect(processExitsWith: .failure) {
            var options = ReplayOptions()
            options.loadsInFrame = true
            _ = try Replay(of: TraceBuilder("rest").trace, options: options) {
                try PlayTests().pairs($0)
            }
        }
        await #expect(processExitsWith: .failure) {
            var hand = TraceBuilder("nowhere")
            hand.jump(to: .nan)
        }
    }
}
