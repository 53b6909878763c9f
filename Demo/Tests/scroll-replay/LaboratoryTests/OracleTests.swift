import DeferredLoading
import IdleLoop
import Laboratory
import LullTesting
import ScrollModel
import Testing

/// The clairvoyant with a limited memory, in replays of random traces.
struct OracleTests {
    /// A random scroll in a list of random heights, with a memory that holds two to five screens.
    private struct Scene {
        let trace: Trace
        let list: Viewport
        var options: ReplayOptions

        init(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            var hand = TraceBuilder("random \(seed)")
            for _ in 0..<Int.random(in: 2...4, using: &random) {
                let sign = Bool.random(using: &random) ? 1.0 : -0.7
                switch Int.random(in: 0..<3, using: &random) {
                case 0: hand.fling(at: sign * .random(in: 500...6000, using: &random))
                case 1: hand.drag(by: sign * .random(in: 50...800, using: &random))
                default: hand.wheel(notches: Int(sign * .random(in: 2...9, using: &random)))
                }
                hand.pause(for: .milliseconds(Int.random(in: 50...900, using: &random)))
            }
            trace = hand.trace
            let heights = (0..<300).map { _ in Double.random(in: 40...200, using: &random) }
            list = Viewport(rows: try RowHeights(heights), height: 600)
            let settings: [Setting] = [.standard, .heavy, .latency]
            let setting = settings[Int.random(in: 0..<3, using: &random)]
            options = ReplayOptions(setting, .whole)
            options.seed = seed
            options.limits.capacity = Int.random(in: 16...40, using: &random)
        }

        func replay(_ rule: NamedPolicy) throws -> Replay {
            let policy = rule.make(for: .init(trace: trace, list: list, options: options))
            return try Replay(of: trace, in: list, policy: policy, options: options)
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>, [0, 1, 2, 4])
    func `with little memory no rule leaves less blank`(_ seed: UInt64, lanes: Int) throws {
        var scene = try Scene(seed: seed)
        scene.options.lanes = lanes
        let floor = try scene.replay(.oracle).run().figures.blank
        for rule in NamedPolicy.all {
            #expect(try floor <= scene.replay(rule).run().figures.blank, "\(rule.name)")
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>, [0, 2])
    func `a loaded row that is wanted is never evicted`(_ seed: UInt64, lanes: Int) throws {
        var scene = try Scene(seed: seed)
        scene.options.lanes = lanes
        let replay = try scene.replay(.oracle)
        var kept: Set<Int> = []
        replay.onNote = { [unowned replay] _, note in
            func isLoaded(_ row: Int) -> Bool { replay.progress(ofRow: row) == .settled }
            switch note {
            case .wanted(let rows): kept = Set(rows.map(\.key).filter(isLoaded))
            case .finished(let row):
                #expect(kept.allSatisfy(isLoaded))
                kept.insert(row)
            default: break
            }
        }
        _ = try replay.run()
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>, [0, 2])
    func `room for all rows is as good as no limit`(_ seed: UInt64, lanes: Int) throws {
        var scene = try Scene(seed: seed)
        scene.options.lanes = lanes
        scene.options.limits.capacity = 300
        let limited = try scene.replay(.oracle).run().figures
        scene.options.limits.capacity = .max
        #expect(try limited.blank <= scene.replay(.oracle).run().figures.blank)
    }
}
