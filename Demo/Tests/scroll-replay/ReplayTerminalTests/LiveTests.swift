import DeferredLoading
import IdleLoop
import Laboratory
import LullTesting
import ReplayTerminal
import ScrollModel
import TestSupport
import Testing

struct LiveTests {
    private func replay(
        _ policy: any LoadingPolicy = .within(rows: 3), cost: Duration = .milliseconds(1),
        engine: Scheduling = .lull
    ) throws -> Replay {
        var options = ReplayOptions(.standard, engine)
        options.isLogged = true
        options.cost = cost
        let list = Viewport(rows: try RowHeights(count: 500, height: 80), height: 800)
        return try Replay(of: ChartTests.trace, in: list, policy: policy, options: options)
    }

    private func scene(at time: Instant, of replay: Replay) throws -> LiveScene {
        try replay.start()
        try replay.advance(to: time)
        var scene = LiveScene()
        scene.trace = "hand"
        scene.policy = "within3"
        scene.engine = "E6"
        scene.update(from: replay, at: time) { _ in nil }
        return scene
    }

    @Test(arguments: [(60, 16), (80, 24), (100, 30), (200, 50), (200, 60), (1000, 200)])
    func `the screen fills its size, whatever that is`(width: Int, height: Int) throws {
        let scene = try scene(at: .milliseconds(400), of: try replay())
        for depth in [InkDepth.none, .full] {
            let grid = LiveScreen.grid(of: scene, width: width, height: height, depth: depth)
            #expect(grid.width == width && grid.height == height)
            #expect(grid.lines[0].contains("within3/E6"))
            #expect(grid.lines.contains { $0.contains("blank") })
            #expect(grid.lines.contains { $0.contains("queue") })
            #expect(grid.lines[height - 1].contains("q quit"))
        }
    }

    @Test(arguments: [(59, 24), (80, 15), (20, 3), (1, 1), (0, 0)])
    func `a screen that's too small says so, as far as it can`(width: Int, height: Int) throws {
        let scene = try scene(at: .zero, of: try replay())
        let grid = LiveScreen.grid(of: scene, width: width, height: height, depth: .none)
        #expect(grid.lines.count == height)
        if width > 40, height > 5 {
            #expect(grid.lines.contains { $0.contains("at least 60 × 16") })
        }
    }

    @Test func `the same moment gives the same screen, however one got there`() throws {
        let straight = try scene(at: .milliseconds(700), of: try replay())
        let stepped = try replay()
        try stepped.start()
        var scene = straight
        for time in stride(from: 0, through: 700, by: 10) {
            try stepped.advance(to: .milliseconds(time))
            scene.update(from: stepped, at: .milliseconds(time)) { _ in nil }
        }
        func grid(_ scene: LiveScene) -> Grid {
            LiveScreen.grid(of: scene, width: 100, height: 30, depth: .full)
        }
        #expect(grid(scene) == grid(straight))
    }

    @Test(arguments: [Scheduling.lull, .whole, .inFrame])
    func `the figures so far add up to those at the end`(engine: Scheduling) throws {
        let replay = try replay(.visible, cost: .milliseconds(8), engine: engine)
        var last = Figures()
        try replay.start()
        for time in stride(from: 0, to: replay.end.nanoseconds, by: 50_000_000) {
            try replay.advance(to: Instant(nanoseconds: time))
            let figures = replay.figures
            #expect(figures.blank >= last.blank && figures.loadCost >= last.loadCost)
            #expect(figures.framesShown >= last.framesShown && figures.hitch >= last.hitch)
            last = figures
        }
        try replay.advance(to: replay.end)
        last = replay.figures
        #expect(try replay.finish().figures == last)
        // Counted anew from the log.
        let log = try #require(replay.log)
        let (frames, slices) = (log.frames, log.slices)
        #expect(last.framesLate == frames.count { $0.end > $0.deadline })
        #expect(last.hitch == frames.reduce(.zero) { $0 + max(.zero, $1.end - $1.deadline) })
        #expect(
            last.framesDropped
                == zip(frames, frames.dropFirst()).reduce(0) { $0 + $1.1.number - $1.0.number - 1 })
        #expect(engine != .inFrame || last.framesDropped > 0)
        #expect(last.loadsStarted == Set(slices.map(\.row)).count)
        #expect(last.loadsFinished + last.loadsFailed == slices.count { $0.isLast })
        #expect(last.loadCost == slices.reduce(.zero) { $0 + ($1.end - $1.start) })
    }

    @Test func `late frames and missing rows are told by signs too`() throws {
        let scene = try scene(
            at: .milliseconds(900),
            of: try replay(.everything, cost: .milliseconds(8), engine: .whole))
        let lines = LiveScreen.grid(of: scene, width: 120, height: 30, depth: .none).lines
        #expect(scene.figures.framesLate > 0)
        #expect(lines.contains { $0.dropFirst(54).contains("!") && !$0.contains("late") })
    }

    @Test func `rows that fill in are seen to`() throws {
        let replay = try replay(.visible, cost: .milliseconds(8))
        let early = try scene(at: .milliseconds(120), of: replay)
        #expect(early.rows.contains { $0.state == .loaded })
        #expect(early.rows.contains { $0.state != .loaded })
        let lines = LiveScreen.grid(of: early, width: 80, height: 24, depth: .none).lines
        #expect(lines.contains { $0.contains("✓") })
        #expect(lines.contains { $0.contains("▸") || $0.contains("…") })
    }

    @Test func `a shut gate and a landing are told while they last`() throws {
        let flying = try scene(at: .milliseconds(300), of: try replay())
        #expect(flying.gate != nil)
        #expect(flying.landing != nil)
        let lines = LiveScreen.grid(of: flying, width: 100, height: 30, depth: .none).lines
        #expect(lines.contains { $0.contains("gate     shut: rows ") })
        let rested = try scene(at: .milliseconds(4000), of: try replay())
        #expect(rested.gate == nil)
        #expect(rested.landing == nil)
    }

    @Test func `a rule that takes over is asked from the next frame on`() throws {
        let replay = try replay(Nothing(), cost: .milliseconds(1))
        let before = try scene(at: .milliseconds(1000), of: replay)
        #expect(before.rows.contains { $0.state == .unwanted })
        replay.policy = .visible
        try replay.advance(to: .milliseconds(2000))
        var after = before
        after.update(from: replay, at: .milliseconds(2000)) { _ in nil }
        #expect(after.rows.allSatisfy { $0.state == .loaded })
    }
}
