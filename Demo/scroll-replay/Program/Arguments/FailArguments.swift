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
            let numbers = run.numbers
            guard let findings = failIf.findings({ numbers[$0] }) else { continue }
            count += 1
            first =
                first
                ?? "\(run.plan.scenario.trace.name), \(run.plan.contender), \(run.plan.setting): "
                + findings.joined(separator: ", ")
        }
        guard let first else { return }
        say("scroll-replay: \(first)" + (count > 1 ? "; and \(count - 1) more" : ""))
        throw ExitCode(1)
    }
}

extension Run {
    /// The numbers of the JSON by their names.
    var numbers: [String: Double] {
        guard case .members(let members) = json else { return [:] }
        return members.reduce(into: [:]) { numbers, member in
            if case .digits(let digits) = member.1 { numbers[member.0] = Double(digits) }
        }
    }
}
