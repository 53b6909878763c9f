import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import TestSupport
import Testing

/// Traces in which the program scrolls.
struct JumpTests {
    /// A rule that notes what it is told, but frames.
    private final class Witness: LoadingPolicy {
        var events: [String] = []

        func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? {
            guard let event = moment.event, event != .frame else { return nil }
            events.append(
                "\(moment.time.nanoseconds / 1_000_000) \(event) \(moment.viewport.offset)")
            return nil
        }
    }

    /// Returns what a list of 100 rows of 100 px is told, with times in ms and offsets.
    private func told(_ inputs: [(Int, Trace.Input)], _ offsets: [(Int, Double)]) throws -> [String]
    {
        let trace = Trace(
            name: "jumps", events: inputs.map { .init(time: .milliseconds($0.0), $0.1) },
            samples: offsets.map { .init(time: .milliseconds($0.0), offset: $0.1) })
        let list = Viewport(rows: try RowHeights(count: 100, height: 100), height: 400)
        let witness = Witness()
        _ = try Replay(of: trace, in: list, policy: witness).run()
        return witness.events
    }

    @Test func `a jump ends where the list has reached its target and stands still`() throws {
        #expect(
            try told(
                [(20, .jump(target: 100))],
                [(0, 500), (40, 300), (60, 100), (80, 90), (100, 100.4), (120, 100.4), (140, 100)])
                == ["20 jumpBegan(target: 100.0) 500.0", "100 jumpEnded 100.4"])
        #expect(
            try told([(20, .jump(target: 100))], [(0, 500), (40, 100)])
                == ["20 jumpBegan(target: 100.0) 500.0", "40 jumpEnded 100.0"])
    }

    @Test func `a jump to where the list stands ends at once`() throws {
        #expect(
            try told([(20, .jump(target: 500))], [(0, 500)])
                == ["20 jumpBegan(target: 500.0) 500.0", "20 jumpEnded 500.0"])
    }

    @Test(arguments: [
        (Trace.Input.wheel(dy: 1), "wheel"), (.key, "key"), (.down(y: 3), "down(y: 3.0)"),
        (.jump(target: 200), "jumpBegan(target: 200.0)"),
    ])
    func `another gesture ends a jump first`(_ input: Trace.Input, _ name: String) throws {
        #expect(
            try told([(20, .jump(target: 100)), (60, input)], [(0, 500), (40, 300), (80, 290)])
                == [
                    "20 jumpBegan(target: 100.0) 500.0", "60 jumpEnded 300.0", "60 \(name) 300.0",
                ])
    }

    @Test func `a jump that is reached nowhere has no end, and its rows are loaded all the same`()
        throws
    {
        #expect(
            try told([(20, .jump(target: 100))], [(0, 500), (40, 300), (60, 300)])
                == ["20 jumpBegan(target: 100.0) 500.0"])
        let trace = Trace(
            name: "nowhere", events: [.init(time: .zero, .jump(target: 0))],
            samples: [.init(time: .zero, offset: 5_000), .init(time: .milliseconds(9), offset: 99)])
        let list = Viewport(rows: try RowHeights(count: 100, height: 100), height: 400)
        #expect(try Replay(of: trace, in: list, policy: .within(rows: 3)).run().unsettled == [])
    }

    @Test(arguments: [-1e12, 1e12])
    func `a target beyond the list is its end`(_ target: Double) throws {
        let last = target < 0 ? 0.0 : 9_600
        let events = try told(
            [(20, .jump(target: target))], [(0, 500), (40, target), (60, target)])
        #expect(events.last == "40 jumpEnded \(last)")
    }

    @Test func `without offsets, a touch catches a jump`() throws {
        var hand = TraceBuilder("caught")
        hand.jump(to: 1_000)
        hand.pause(for: .milliseconds(250))
        hand.tap()
        let witness = Witness()
        let list = Viewport(rows: try RowHeights(count: 100, height: 100), height: 400)
        _ = try Replay(of: hand.trace, in: list, policy: witness).run()
        #expect(
            witness.events == [
                "100 jumpBegan(target: 1000.0) 0.0", "350 jumpEnded 500.0",
                "350 down(y: 500.0) 500.0", "410 up(y: 500.0, target: nil) 500.0",
            ])
    }

    @Test func `a recorded scroll to the top loads the top ahead, and nothing on the way`() throws {
        let name = "chromium-scroll-to-top-smooth"
        func log(_ rule: any LoadingPolicy) throws -> ReplayLog {
            var options = ReplayOptions()
            options.isLogged = true
            let replay = try Replay(
                of: try Shipped.trace(name), in: Shipped.list(name), policy: rule,
                options: options)
            #expect(try replay.run().unsettled == [])
            return try #require(replay.log)
        }
        let near = try log(.within(rows: 3))
        let top = Shipped.list(name).visibleRows
        #expect(Set(near.slices.map(\.row)) == Set(0..<top.bounds.upperBound + 3))
        // All of it is there long before the list is.
        let arrival = try #require(near.frames.first { $0.visible.contains(0) })
        #expect(near.slices.allSatisfy { $0.end < arrival.start })
        #expect(try log(.visible).figures.loadsFinished > 100)
    }
}
