internal import IdleLoop
internal import Laboratory
internal import LullTesting
internal import ScrollModel

/// The runs of one trace, which are drawn on the same axes.
struct TracePicture {
    /// The trace's name.
    let name: String
    /// The runs, in the given order.
    private(set) var runs: [RunAccount]

    /// Groups the logs' runs by trace, in the given order.
    ///
    /// A second trace of the same name is recognised when the same contender was already played in
    /// the first.
    static func all(_ logs: [ReplayLog]) -> [TracePicture] {
        var traces: [TracePicture] = []
        for log in logs {
            let run = RunAccount(log)
            let place = traces.firstIndex { trace in
                trace.name == log.title.trace && trace.runs[0].log.list == log.list
                    && !trace.runs.contains { $0.label == run.label }
            }
            if let place {
                traces[place].runs.append(run)
            } else {
                traces.append(TracePicture(name: log.title.trace, runs: [run]))
            }
        }
        return traces
    }

    /// The positions of the rows of all the runs.
    var rows: RowTable { RowTable(runs.flatMap(\.rows), in: runs[0].log.list) }

    /// The end of the longest run.
    var end: Instant { runs.map(\.log.end).max() ?? .zero }
}
