import Workloads

/// Who waits for the loop: a callback, or a task.
enum Side: String, CaseIterable {
    case plain = "lull-plain"
    case task = "lull-task"
}

/// Measures both sides in turns, so that they meet the same machine, and prints their medians.
func reportInTurns(
    _ workload: String, _ variant: String, _ unit: String, _ measure: (Side) throws -> Double
) throws {
    var samples: [Side: [Double]] = [:]
    for turn in 0..<(isQuick ? 3 : 9) {
        for side in turn % 2 == 0 ? Side.allCases : Side.allCases.reversed() {
            samples[side, default: []].append(try measure(side))
        }
    }
    let medians = samples.mapValues { percentile(0.5, of: $0) }
    for side in Side.allCases {
        setContender(side.rawValue)
        report(workload, variant, unit, medians[side] ?? 0)
    }
}
