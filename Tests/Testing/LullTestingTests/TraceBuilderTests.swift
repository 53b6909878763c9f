import DeferredLoading
import LullTesting
import ScrollModel
import TestSupport
import Testing

/// Traces made by hand.
struct TraceBuilderTests {
    private func list(rows: Int = 200, height: Double = 200) throws -> Viewport {
        Viewport(rows: try RowHeights(count: rows, height: 50), height: height)
    }

    private func play(_ trace: Trace) throws -> ReplayLog {
        var options = ReplayOptions()
        options.isLogged = true
        options.cost = .milliseconds(4)
        let replay = try Replay(of: trace, in: list(), policy: VisibleRows(), options: options)
        _ = try replay.run()
        return try #require(replay.log)
    }

    @Test func `a fling goes at the speed it was given`() throws {
        var hand = TraceBuilder("fling")
        hand.fling(at: 3_000)
        let log = try play(hand.trace)
        let target = try #require(log.predictions.first?.target)
        let fling = Scroller(.chromium).fling(
            from: 300, velocity: 3_000, bounds: 0...9_800, viewportHeight: 200)
        #expect(abs(target - fling.target) < 2)
        #expect(abs(try #require(log.frames.last).offset - fling.target) < 2)
    }

    @Test func `a drag ends where the finger lets go`() throws {
        var hand = TraceBuilder("drag")
        hand.drag(by: 750)
        let log = try play(hand.trace)
        #expect(log.predictions.isEmpty)
        #expect(log.frames.last?.offset == 750)
    }

    @Test func `a tap catches a fling`() throws {
        var hand = TraceBuilder("catch")
        hand.fling(at: 6_000)
        hand.pause(for: .milliseconds(50))
        hand.tap()
        let log = try play(hand.trace)
        let target = try #require(log.predictions.first?.target)
        #expect(try #require(log.frames.last).offset < target)
    }

    @Test func `a jump takes half a second to its target, or to the end of the list`() throws {
        var hand = TraceBuilder("jump")
        hand.jump(to: 1_000)
        hand.pause(for: .seconds(1))
        hand.jump(to: 1e9)
        let path = OffsetPath(of: hand.trace, in: try list(), scroller: Scroller(.chromium))
        let offsets = [0, 100, 350, 600, 1_099, 1_350, 1_600].map {
            path.offset(at: .milliseconds($0))
        }
        #expect(offsets == [0, 0, 500, 1_000, 1_000, 5_400, 9_800])
        #expect(path.end == .milliseconds(1_600))
        #expect(try play(hand.trace).frames.last?.offset == 9_800)
    }

    @Test func `a wheel turns both ways`() throws {
        var hand = TraceBuilder("wheel")
        hand.wheel(notches: 3)
        hand.wheel(notches: -1)
        #expect(hand.trace.events.count == 4)
        #expect(try play(hand.trace).frames.last?.offset == 240)
    }
}
