import ArgumentParser
import LullTesting

/// `scroll-replay explain`: explains why rows were loaded, skipped, raised, dropped or cancelled.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tells why rows were loaded, skipped, raised, dropped or cancelled, and when.",
        discussion: Help.explain)

    @OptionGroup var played: PlayArguments

    @Option(
        help: ArgumentHelp(
            "A row, or rows from one to another; may be given several times.",
            valueName: "n|a-b"))
    var row: [RowSpan] = []

    @OptionGroup var arguments: ReplayArguments

    func run() throws {
        try orExit {
            let plan = try played.plan(arguments)
            let asked = try row.rows(in: plan)
            let told = try ExplainedRun(plan)
            let format = arguments.format
            let lines =
                asked.isEmpty ? told.text(as: format) : told.text(ofRows: asked, as: format)
            if format == .text {
                try emit("\(plan.scenario.trace.name): \(plan.contender), \(plan.title)")
            }
            if !lines.isEmpty { try emit(lines.joined(separator: "\n")) }
        }
    }
}

extension Plan {
    /// Creates the plan by which a contender plays a trace; prints to standard error what was taken
    /// from the files beside it.
    init(_ trace: String, _ contender: Contender, _ arguments: ReplayArguments) throws {
        let scenario = try Scenario(trace, arguments)
        if !scenario.asRecorded.isEmpty {
            say("\(trace): as recorded beside it: \(scenario.asRecorded.joined(separator: ", "))")
        }
        let pictures = try arguments.images.map { try PictureSet($0) }
        self.init(scenario, contender, arguments, pictures: pictures)
    }
}
