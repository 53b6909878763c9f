import ArgumentParser
import IdleLoop
import LullTesting
import ReplayText

/// `scroll-replay run`: plays one trace and prints its figures.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Plays one trace and prints its figures.",
        discussion: Help.run)

    @OptionGroup var played: PlayArguments

    @Option(
        help: ArgumentHelp(
            "Also tell why this row was loaded, or wasn't; may be given several times.",
            valueName: "n|a-b"))
    var explain: [RowSpan] = []

    @OptionGroup(title: "Pictures") var output: OutputArguments
    @OptionGroup var arguments: ReplayArguments

    func run() throws {
        try orExit {
            var plan = try played.plan(arguments)
            plan.options.isLogged = output.isAskedFor
            let rows = try explain.rows(in: plan)
            let warnings = TraceWarnings(of: plan.scenario.trace, in: plan.scenario.list)
            for text in warnings.texts { say("\(played.trace): \(text)") }
            let told = try explain.isEmpty ? nil : ExplainedRun(plan)
            let run = try told?.run ?? plan.run()
            let story = told.map { $0.text(ofRows: rows, as: arguments.format) } ?? []
            switch arguments.format {
            case .json: try emit(([run.json.rendered] + story).joined(separator: "\n"))
            case .text: try emit(([run.summary] + story).joined(separator: "\n"))
            }
            try output.write([run.log])
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
