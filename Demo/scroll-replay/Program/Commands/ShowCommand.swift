import ArgumentParser
import DeferredLoading
import Laboratory
import LullTesting
import ReplayTerminal

/// `scroll-replay show`: draws a trace in the terminal.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a trace in the terminal: offset, velocity, input.",
        discussion: Help.show)

    @Argument(help: "The trace: one JSON object a line.", completion: .file())
    var trace: String

    @OptionGroup var screen: ScreenArguments
    @OptionGroup var arguments: ReplayArguments

    func run() throws {
        try orExit {
            var plan = try Plan(trace, Contender(.visible, .inFrame), arguments)
            plan.options.isLogged = true
            plan.options.clock = .virtual
            plan.options.cost = .zero
            plan.options.latency = .zero
            let replay = try Replay(
                of: plan.scenario.trace, in: plan.scenario.list, policy: .visible,
                options: plan.options)
            _ = try replay.run()
            guard let log = replay.log else { preconditionFailure("a logged replay has a log") }
            let width = screen.size?.width ?? min(200, max(80, Terminal.columns))
            let chart = TraceChart(of: log, width: width).grid.lines(in: screen.depth)
            let summary = TraceSummary(of: plan.scenario.trace, in: log).text
            try emit((chart + [""] + summary).joined(separator: "\n"))
        }
    }
}
