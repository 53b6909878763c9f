internal import Laboratory
internal import LullTesting
internal import ReplayText

extension Report {
    /// The replays in Chrome's trace format, which ui.perfetto.dev and catapult's viewer open.
    ///
    /// A process is a run; its threads are its frames, the work of its loop, its inputs and its
    /// lanes. Loads are async slices, with an arrow from the frame or input that requested the load to
    /// the work.
    public var chromeTrace: String {
        let several = traces.count > 1
        var process = 0
        var ids = 0
        var lines: [String] = []
        for trace in traces {
            for run in trace.runs {
                process += 1
                let name = "policy: \(run.label)" + (several ? ", \(trace.name)" : "")
                var events = TraceEvents(run: run, process: process, firstID: ids)
                events.collect(processName: printable(name))
                ids = events.lastID
                lines += events.sorted.map(\.json.rendered)
            }
        }
        let facts: JSON = .members([
            ("title", .text(printable(facts.title))),
            ("command", .text(printable(facts.command))),
            ("version", .text(printable(facts.version))),
        ])
        return "{\"traceEvents\":[\n" + lines.joined(separator: ",\n")
            + "\n],\"displayTimeUnit\":\"ms\",\"otherData\":\(facts.rendered)}\n"
    }
}
