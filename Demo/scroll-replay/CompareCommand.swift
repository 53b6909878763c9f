import ArgumentParser
import LullTesting

/// `scroll-replay compare`: plays many traces in several ways and prints one table.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Plays traces in several ways and prints one table.")

    /// A rule and an engine, such as `within3/E6`.
    struct Way: ExpressibleByArgument, CustomStringConvertible {
        let rule: NamedPolicy
        let engine: Engine

        init?(argument: String) {
            let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let rule = NamedPolicy.named(String(parts[0])),
                let engine = Engine(rawValue: String(parts[1]))
            else { return nil }
            self.init(rule, engine)
        }

        init(_ name: String, _ engine: Engine) {
            self.init(NamedPolicy.ofThatName(name), engine)
        }

        init(_ rule: NamedPolicy, _ engine: Engine) {
            self.rule = rule
            self.engine = engine
        }

        var description: String { "\(rule.name)/\(engine.rawValue)" }
        var defaultValueDescription: String { description }
    }

    @Argument(help: "The traces, or any recordings of such.")
    var traces: [String]

    @Option(
        name: .customLong("way"),
        help: "A rule and an engine, such as within3/E6; may be given several times.")
    var ways = [Way("visible", .inFrame), Way("visible", .lull), Way("within3", .lull)]

    @OptionGroup var arguments: ReplayArguments
    @OptionGroup(title: "Pictures") var output: OutputArguments

    func run() throws {
        try orExit {
            let album = try arguments.images.map { try Album($0) }
            let sessions = try traces.map { try Session($0, arguments) }
            let recorded = sessions.count { !$0.asRecorded.isEmpty }
            if recorded > 0 {
                say("\(recorded) traces: viewport, Hz and row heights as recorded beside them")
            }
            let runs = try sessions.flatMap { session in
                try ways.map { way in
                    try Run(
                        session, rule: way.rule, engine: way.engine, arguments: arguments,
                        album: album, isLogged: output.isAskedFor)
                }
            }
            try output.write(runs.map(\.log))
            switch arguments.format {
            case .json:
                try emit("[" + runs.map(\.json.rendered).joined(separator: ",\n") + "]")
            case .text:
                try emit(comparison(of: runs, ways: ways.map(\.description)))
            }
        }
    }
}
