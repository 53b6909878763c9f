import ArgumentParser
import IdleLoop
import LullTesting

/// `scroll-replay run`: plays one trace and prints its figures.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Plays one trace and prints its figures.",
        discussion: """
            blank is the sum over frames of visible rows not loaded, in row-seconds; settle the \
            time from the list's rest until nothing is missing; wasted what was loaded and not \
            seen for 0.1 s; hitch by how much frames ended after the next was due.
            """)

    @Argument(help: "The trace, or any recording of one; - is standard input.")
    var trace: String

    @Option(help: "The rule that says what is loaded; see `scroll-replay policies`.")
    var policy = NamedPolicy.standard

    @Option(
        help: """
            How it's loaded: E0 whole, E1 whole if it fits, E2 2 ms slices, E3 slices that fit, \
            E4 one each 100 ms, E5 in the frame, E6 in lulls.
            """)
    var engine = Engine.lull

    @OptionGroup var arguments: ReplayArguments
    @OptionGroup(title: "Pictures") var output: OutputArguments

    func run() throws {
        try orExit {
            let session = try Session(trace, arguments)
            if !session.asRecorded.isEmpty {
                let facts = session.asRecorded.joined(separator: ", ")
                say("\(trace): as recorded beside it: \(facts)")
            }
            let album = try arguments.images.map { try Album($0) }
            let run = try Run(
                session, rule: policy, engine: engine, arguments: arguments, album: album,
                isLogged: output.isAskedFor)
            try output.write([run.log])
            switch arguments.format {
            case .json: try emit(run.json.rendered)
            case .text: try emit(run.summary)
            }
        }
    }
}

/// Runs `body`; what goes wrong with the input is one line on standard error and its exit status.
func orExit(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as TraceError {
        say("scroll-replay: \(error)")
        throw ExitCode(error.kind == .unreadable ? 66 : 65)
    } catch let error as LoopError {
        say("scroll-replay: \(error)")
        throw ExitCode(71)
    }
}
