import DeferredLoading
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// Replays whose calls come in another order than usual.
struct ReplayOrderTests {
    private func replay(_ slicing: Slicing = .lull, lanes: Int = 0) throws -> Replay {
        var options = ReplayOptions(.standard, slicing)
        options.lanes = lanes
        options.isLogged = true
        options.isWarm = true
        let name = "chromium-fling-train-read"
        return try Replay(
            of: try Shipped.trace(name), in: Shipped.list(name), policy: LandingRows(),
            options: options)
    }

    private func figures(_ outcome: Replay.Outcome) -> [String] {
        ["\(outcome.figures)", "\(outcome.unsettled)", "\(outcome.loop)"]
    }

    @Test(arguments: Slicing.allCases)
    func `a replay is played once, however often it's told to be`(slicing: Slicing) throws {
        let once = try replay(slicing)
        let outcome = try figures(once.run())
        let frames = once.log?.frames
        #expect(try figures(once.run()) == outcome)
        #expect(once.log?.frames == frames)
        let other = try replay(slicing)
        try other.start()
        try other.start()
        try other.advance(to: other.end)
        #expect(try figures(other.finish()) == outcome)
        #expect(try figures(other.finish()) == outcome)
        try other.start()
        try other.advance(to: other.end)
        #expect(other.log?.frames == frames)
    }

    @Test func `what isn't started doesn't advance, and may be finished`() throws {
        let replay = try replay()
        try replay.advance(to: replay.end)
        #expect(try replay.finish().figures.loadsStarted == 0)
        #expect(try figures(replay.run()) == figures(replay.finish()))
    }

    @Test(arguments: Slicing.allCases, [0, 2])
    func `a replay is advanced and finished from inside a note`(
        slicing: Slicing, lanes: Int
    ) throws {
        let replay = try replay(slicing, lanes: lanes)
        var outcome: [String]?
        replay.onNote = { [weak replay] time, _ in
            guard let replay, time > .zero + .milliseconds(500), outcome == nil else { return }
            outcome = []
            try? replay.advance(to: replay.end)
            outcome = try? figures(replay.finish())
        }
        #expect(try figures(replay.run()) == outcome)
    }

    @Test(arguments: Slicing.allCases, [0, 2])
    func `a replay may be let go of at any time`(slicing: Slicing, lanes: Int) throws {
        for share in [0, 0.25, 0.5, 0.75] {
            var played: Replay? = try replay(slicing, lanes: lanes)
            try played?.start()
            let end = played?.end ?? .zero
            try played?.advance(to: .zero + (end - .zero) * share)
            played = nil
        }
        var played: Replay? = try replay(slicing, lanes: lanes)
        played?.onNote = { time, _ in if time > .zero + .milliseconds(500) { played = nil } }
        _ = try played?.run()
        #expect(played == nil)
    }
}
