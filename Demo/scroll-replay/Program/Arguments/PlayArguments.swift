import ArgumentParser
import Laboratory
import LullTesting

/// The arguments of commands that play one trace by one rule.
struct PlayArguments: ParsableArguments {
    @Argument(help: "The trace: one JSON object a line.", completion: .file())
    var trace: String

    @Option(help: "The rule that says what is loaded.")
    var policy = NamedPolicy.value

    @Option(help: "How it's loaded: E0 whole, E2 2 ms slices, E5 in the frame, E6 in lulls.")
    var engine = Scheduling.lull

    /// Returns the plan of the replay.
    func plan(_ arguments: ReplayArguments) throws -> Plan {
        try Plan(trace, Contender(policy, engine), arguments)
    }
}
