import DeferredLoading
import IdleLoop
import Laboratory
import LullTesting
import ShippedTraces
import Testing

/// Replays whose calls come in another order than usual, scheduled by each strategy.
struct ReplayOrderTests {
    private func replay(_ engine: Scheduling) throws -> Replay {
        var options = ReplayOptions(.standard, engine)
        options.isLogged = true
        let name = "chromium-fling-train-read"
        return try Replay(
            of: try Shipped.trace(name), in: Shipped.list(name), policy: .within(rows: 3),
            options: options)
    }

    private func figures(_ outcome: Replay.Outcome) -> [String] {
        ["\(outcome.figures)", "\(outcome.unsettled)", "\(outcome.loop)"]
    }

    @Test(arguments: Scheduling.allCases)
    func `a replay is played once, however often it's told to be`(engine: Scheduling) throws {
        let once = try replay(engine)
        let outcome = try figures(once.run())
        let frames = once.log?.frames
        #expect(try figures(once.run()) == outcome)
        #expect(once.log?.frames == frames)
        let other = try replay(engine)
        for _ in 1...2 { try other.start() }
        try other.advance(to: other.end)
        for _ in 1...2 { #expect(try figures(other.finish()) == outcome) }
        try other.start()
        try other.advance(to: other.end)
        #expect(other.log?.frames == frames)
    }

    @Test(arguments: Scheduling.allCases)
    func `a replay is advanced and finished from inside a note`(engine: Scheduling) throws {
        let replay = try replay(engine)
        var outcome: [String]?
        replay.onNote = { [weak replay] time, _ in
            guard let replay, time > .zero + .milliseconds(500), outcome == nil else { return }
            outcome = []
            try? replay.advance(to: replay.end)
            outcome = try? figures(replay.finish())
        }
        #expect(try figures(replay.run()) == outcome)
    }

    @Test(arguments: Scheduling.allCases)
    func `a replay may be let go of at any time`(engine: Scheduling) throws {
        for share in [0, 0.25, 0.5, 0.75] {
            var played: Replay? = try replay(engine)
            try played?.start()
            let end = played?.end ?? .zero
            try played?.advance(to: .zero + (end - .zero) * share)
            played = nil
        }
        var played: Replay? = try replay(engine)
        played?.onNote = { time, _ in if time > .zero + .milliseconds(500) { played = nil } }
        _ = try played?.run()
        #expect(played == nil)
    }
}
