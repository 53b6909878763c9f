import ArgumentParser
import IdleLoop
import Laboratory
import LullTesting
import ReplayReport

/// `scroll-replay run`: plays one trace and prints its figures.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Plays one trace and prints its figures.",
        discussion: Help.run)

    @Argument(help: "The trace: one JSON object a line.", completion: .file())
    var trace: String

    @Option(help: "The rule that says what is loaded.")
    var policy = NamedPolicy.within3

    @Option(help: "How it's loaded: E0 whole, E2 2 ms slices, E5 in the frame, E6 in lulls.")
    var engine = Scheduling.lull

    @Option(
        help: ArgumentHelp(
            "Also tell why this row was loaded, or wasn't; may be given several times.",
            valueName: "n|a-b"))
    var explain: [RowSpan] = []

    @OptionGroup(title: "Pictures") var output: OutputArguments
    @OptionGroup var failing: FailArguments
    @OptionGroup var arguments: ReplayArguments

    func run() throws {
        try orExit {
            var plan = try Plan(trace, Way(policy, engine), arguments)
            plan.options.isLogged = output.isAskedFor
            let rows = try explain.rows(in: plan)
            let told = try explain.isEmpty ? nil : ExplainedRun(plan)
            let run = try told?.run ?? plan.run()
            let story = told.map { $0.text(ofRows: rows, as: arguments.format) } ?? []
            switch arguments.format {
            case .json: try emit(([run.json.rendered] + story).joined(separator: "\n"))
            case .text: try emit(([run.summary] + story).joined(separator: "\n"))
            }
            try output.write([run.log])
            try failing.check([run])
        }
    }
}

/// Runs `body`; an error in the input is printed to standard error on one line, and sets the exit
/// status.
func orExit(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as TraceError {
        say("scroll-replay: \(error)")
        throw ExitCode(error.kind == .unreadable ? 66 : 65)
    } catch let error as LoopError {
        say("scroll-replay: \(error)")
        throw ExitCode(71)
    } catch  where !(error is ExitCode || error is ValidationError || error is CleanExit) {
        say("scroll-replay: this should not happen: \(error)")
        throw ExitCode(70)
    }
}
