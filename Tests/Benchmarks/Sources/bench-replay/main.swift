// How fast scrolls are replayed, in processor time of one core:
//
//     bench-replay S1    40 s of strokes over 100,000 rows, by several rules
//     bench-replay S2    every rule there is over the shipped traces

import Foundation
import Laboratory
import LullTesting
import ScrollModel
import Workloads

guard CommandLine.arguments.count == 2 else { exit(64) }
setContender("lull")
switch CommandLine.arguments[1] {
case "S1": try replayLongSession()
case "S2": try compareAllRules()
default: exit(64)
}

/// S1: flings up and down, drags and catches, as they come in 40 s.
func replayLongSession() throws {
    var numbers = SplitMix64(seed: 3)
    var hand = TraceBuilder("40 s")
    while hand.time < .seconds(38) {
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0...5: hand.fling(at: Double.random(in: 1_000...9_000, using: &numbers))
        case 6...7: hand.fling(at: -Double.random(in: 1_000...6_000, using: &numbers))
        case 8: hand.drag(by: Double.random(in: -400...400, using: &numbers))
        default: hand.tap()
        }
        hand.pause(for: .milliseconds(Int.random(in: 100...1_800, using: &numbers)))
    }
    let rows = try RowHeights(
        (0..<100_000).map { _ in Double.random(in: 48...320, using: &numbers) })
    let list = Viewport(rows: rows, height: 800, offset: 60_000)
    for name in ["visible", "within3", "everything", "value"] {
        guard let rule = NamedPolicy.named(name) else { continue }
        let seconds = try processorTime {
            try play(hand.trace, in: list, by: rule, .standard, .lull)
        }
        report("S1", name, "cpu_s", seconds)
    }
}

/// S2: what `scroll-replay compare --policies all` does, on one core.
func compareAllRules() throws {
    let traces = try ShippedTraces()
    for setting in [Setting.standard, .heavy, .latency] {
        let seconds = try processorTime {
            for (trace, list) in traces.all {
                for rule in NamedPolicy.all {
                    try play(trace, in: list, by: rule, setting, .lull)
                }
            }
        }
        report("S2", setting.rawValue, "cpu_s", seconds)
        let replays = traces.all.count * NamedPolicy.all.count
        report("S2", setting.rawValue, "ms_per_replay", seconds * 1000 / Double(replays))
    }
}

func play(
    _ trace: Trace, in list: Viewport, by rule: NamedPolicy, _ setting: Setting,
    _ scheduling: Scheduling
) throws {
    let options = ReplayOptions(setting, scheduling)
    let policy = rule.make(for: .init(trace: trace, list: list, options: options))
    _ = try Replay(of: trace, in: list, policy: policy, options: options).run()
}

/// The processor time of a piece of work, in seconds.
func processorTime(_ work: () throws -> Void) rethrows -> Double {
    let start = clock()
    try work()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
}
