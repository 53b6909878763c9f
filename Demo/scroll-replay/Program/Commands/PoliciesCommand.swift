import ArgumentParser
import Laboratory
import ReplayText

/// `scroll-replay policies`: lists the rules that can be replayed.
struct PoliciesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policies", abstract: "Lists the rules that can be replayed.")

    func run() throws {
        let rules = NamedPolicy.all
        let width = rules.map(\.name.count).max() ?? 0
        try emit(
            rules.map { "\($0.name.padded(to: width))  \($0.summary)" }.joined(separator: "\n"))
    }
}
