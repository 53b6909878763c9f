public import LullTesting

/// A report on replays: a page for a browser, and a trace for a profiler's viewer.
///
/// ```swift
/// var options = ReplayOptions()
/// options.isLogged = true
/// let replay = try Replay(of: trace, in: list, policy: .within(rows: 3), options: options)
/// _ = try replay.run()
/// let page = Report(replay.log.map { [$0] } ?? []).html
/// ```
///
/// The logs of one trace are drawn on the same axes, below each other. All names and reasons are
/// escaped. The same logs give the same bytes.
public struct Report {
    /// The facts of a report that its logs don't contain.
    public struct Facts: Equatable, Sendable {
        /// The page's title.
        public var title = "Scroll replay"
        /// A sentence with the result; omitted if empty.
        public var verdict = ""
        /// The command line that reproduces the report; omitted if empty.
        public var command = ""
        /// The name and version of the program that made it; omitted if empty.
        public var version = ""

        /// Creates the defaults.
        public init() {}
    }

    let traces: [TracePicture]
    let facts: Facts

    /// Creates a report on these replays.
    public init(_ logs: [ReplayLog], facts: Facts = Facts()) {
        traces = TracePicture.all(logs)
        self.facts = facts
    }

    /// The report as a single page, which needs no network and no other file.
    public var html: String { Page(traces: traces, facts: facts).text }
}
