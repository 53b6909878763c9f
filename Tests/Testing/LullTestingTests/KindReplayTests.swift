import DeferredLoading
import IdleLoop
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// Replays whose rows are of four kinds, of which each costs about twice as much as the one before.
struct KindReplayTests {
    /// Plays all shipped traces under heavy loads, by the rule `value`, with three drawings of costs.
    private static func figures(
        _ change: (inout ReplayOptions) -> Void = { _ in }
    ) throws -> Figures {
        try Figures(
            sumOf: (1...3 as ClosedRange<UInt64>).flatMap { seed in
                try Shipped.names.map { name in
                    var options = ReplayOptions(.heavy, .whole)
                    options.hz = Shipped.hz(name)
                    options.seed = seed
                    change(&options)
                    return try Replay(
                        of: Shipped.trace(name), in: Shipped.list(name), policy: .value,
                        options: options
                    ).run().figures
                }
            })
    }

    @Test func `what is learned of kinds is worth most of what known costs are`() throws {
        let unknown = try Self.figures().blank
        let learned = try Self.figures { $0.hasKinds = true }.blank
        let known = try Self.figures { $0.hasHints = true }.blank
        #expect(learned < unknown * 0.8)
        #expect(learned - known < (unknown - known) * 0.35)
    }

    @Test func `a row's kind is the octave of its cost`() {
        let work = DrawnWork(base: .milliseconds(1), seed: 3)
        for row in 0..<1_000 {
            let kind = work.kind(ofRow: row)?.number ?? -1
            #expect(0..<4 ~= kind)
            let least = Duration.milliseconds(1 << kind)
            #expect(least...(least * 2) ~= work.cost(ofRow: row))
        }
    }
}
