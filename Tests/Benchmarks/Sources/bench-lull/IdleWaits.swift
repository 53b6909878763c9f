import IdleLoop
import Workloads

/// C2: what it costs a task to wait for a lull, beside a callback before idle: how often the loop
/// polls, and CPU time, for each lull.
func idleWaits() throws {
    var polls: [Side: Double] = [:]
    let name = "1 per pass"
    try reportInTurns("C2", name, "ns_per_lull") { side in
        let waits = try IdleWaits(side)
        polls[side] = waits.polls
        return waits.nanoseconds
    }
    for side in Side.allCases {
        setContender(side.rawValue)
        report("C2", name, "polls_per_lull", polls[side] ?? 0)
    }
    guard let plain = polls[.plain], let task = polls[.task] else { return }
    report("C2", name, "more_polls", task - plain)
}

/// So many lulls, each with nothing to do in it.
private struct IdleWaits {
    let polls: Double
    let nanoseconds: Double

    init(_ side: Side) throws {
        let loop = try MainLoop()
        defer { loop.close() }
        try loop.watch(TinyJobs.quietDescriptor(), for: .readable) { _ in }
        let count = isQuick ? 200_000 : 1_000_000
        var left = count
        switch side {
        case .plain:
            loop.beforeIdle { _ in
                left -= 1
                if left == 0 { loop.stop() }
                return .worked
            }
        case .task:
            loop.task {
                for _ in 0..<count { _ = await loop.idle() }
                loop.stop()
            }
        }
        let start = cpuTime()
        try loop.run()
        nanoseconds = Double(cpuTime() - start) / Double(count)
        polls = Double(loop.statistics.polls) / Double(count)
    }
}
