public import LullTesting

/// Replays as pictures: a page for a browser, drawings, and a trace for a profiler's viewer.
///
/// ```swift
/// var options = ReplayOptions()
/// options.isLogged = true
/// let replay = try Replay(of: trace, in: list, policy: .within(rows: 3), options: options)
/// _ = try replay.run()
/// let page = Report(replay.log.map { [$0] } ?? []).html
/// ```
///
/// The logs of one trace are drawn on the same axes, under each other. Whatever stands in names and
/// reasons is only ever text. The same logs give the same bytes.
public struct Report {
    /// What beside the logs is told.
    public struct Facts: Equatable, Sendable {
        /// The page's title.
        public var title = "Scroll replay"
        /// One sentence that says what came out; none if empty.
        public var verdict = ""
        /// The command line by which it can be made again; none if empty.
        public var command = ""
        /// What made it, with its version; none if empty.
        public var version = ""

        /// The defaults.
        public init() {}
    }

    let traces: [TracePicture]
    let facts: Facts

    /// A report of these replays.
    public init(_ logs: [ReplayLog], facts: Facts = Facts()) {
        traces = TracePicture.all(logs)
        self.facts = facts
    }

    /// The names of the traces, in the order of ``drawings``.
    public var names: [String] { traces.map(\.name) }

    /// One page with everything in it, which needs no network and no other file.
    public var html: String { Page(traces: traces, facts: facts).text }
}
