import ArgumentParser
import LullTesting
import ReplayTerminal
import ReplayText

/// The option `--fail-if`, for use in continuous integration.
struct FailArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Exit with 1 if a run's figures are so, e.g. 'dropped>0, waste>60%'.",
            valueName: "condition"),
        transform: { try FailCondition($0) })
    var failIf: FailCondition?

    /// Prints the runs that meet the condition, on one line, and throws the exit status 1 if any
    /// do.
    func check(_ runs: [Run]) throws {
        guard let failIf else { return }
        var first: String?
        var count = 0
        for run in runs {
            guard let findings = failIf.findings(run.value) else { continue }
            count += 1
            first =
                first
                ?? "\(run.scenario.trace.name), \(run.contender), \(run.setting): "
                + findings.joined(separator: ", ")
        }
        guard let first else { return }
        say("scroll-replay: \(first)" + (count > 1 ? "; and \(count - 1) more" : ""))
        throw ExitCode(1)
    }
}

extension Run {
    /// The rule and the engine.
    var contender: Contender { Contender(rule, engine) }

    /// Returns a number of the JSON by its name.
    func value(_ key: String) -> Double? {
        guard case .members(let members) = json,
            case .digits(let digits)? = members.first(where: { $0.0 == key })?.1
        else { return nil }
        return Double(digits)
    }
}
