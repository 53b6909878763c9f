import IdleLoop
import Laboratory
import LullTesting
import ReplayText

/// A replay with all decisions made in it.
struct ExplainedRun {
    let run: Run
    let lines: [StoryLine]

    /// Plays a plan and records the decisions.
    init(_ plan: Plan) throws {
        var plan = plan
        plan.options.isLogged = true
        let replay = try plan.replay()
        let told = try DecisionRecorder.follow(replay)
        run = Run(plan, outcome: told.outcome, log: replay.log)
        lines = told.lines
    }

    /// Returns the histories of some rows, in lines.
    func text(ofRows rows: some Sequence<Int>, as format: Format) -> [String] {
        switch format {
        case .text:
            guard let log = run.log else { preconditionFailure("a logged replay has a log") }
            let account = RunAccount(log)
            return rows.flatMap { RowStory(of: $0, in: account, lines: lines).text }
        default:
            let rows = Set(rows)
            return lines.filter { rows.contains($0.row) }.map(\.json.rendered)
        }
    }

    /// Returns all decisions in order, in lines.
    func text(as format: Format) -> [String] {
        lines.map { format == .text ? $0.textWithRow : $0.json.rendered }
    }
}

extension StoryLine {
    /// The line as one JSON object, with the same members for every kind.
    var json: JSON {
        .members([
            ("time_ns", .integer(time.nanoseconds)), ("row", .integer(row)),
            ("kind", .text(kind.rawValue)),
            ("urgency", urgency.map { .text($0.name) } ?? .null),
            ("from", from.map { .text($0.name) } ?? .null),
            ("rank", rank.map { .whole($0) } ?? .null),
            ("since_ns", since.map { .integer($0.nanoseconds) } ?? .null),
            ("cost_ns", cost.map { .nanoseconds($0) } ?? .null),
            ("reason", reason.map { .text(printable($0)) } ?? .null),
        ])
    }
}
