import ArgumentParser
import DeferredLoading
import Laboratory
import LullTesting

/// A rule and an engine, such as `within3/E6`.
struct Contender: ExpressibleByArgument, CustomStringConvertible, Hashable, Sendable {
    let rule: NamedPolicy
    let engine: Scheduling

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let rule = NamedPolicy(rawValue: String(parts[0])),
            let engine = Scheduling(rawValue: String(parts[1]))
        else { return nil }
        self.init(rule, engine)
    }

    init(_ rule: NamedPolicy, _ engine: Scheduling) {
        self.rule = rule
        self.engine = engine
    }

    var description: String { "\(rule.rawValue)/\(engine.rawValue)" }
    var defaultValueDescription: String { description }

    static var completionKind: CompletionKind {
        .list(
            NamedPolicy.allCases.flatMap { rule in
                Scheduling.allCases.map { Contender(rule, $0).description }
            })
    }
}

/// A list of names separated by commas, or `all` of them.
struct NameList<Name>: ExpressibleByArgument, Sendable
where Name: CaseIterable & RawRepresentable<String> & Sendable {
    let names: [Name]

    init?(argument: String) {
        if argument == "all" {
            names = Array(Name.allCases)
            return
        }
        var names: [Name] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let name = Name(rawValue: String(part)) else { return nil }
            if !names.contains(where: { $0.rawValue == name.rawValue }) { names.append(name) }
        }
        self.names = names
    }

    static var allValueStrings: [String] { ["all"] + Name.allCases.map(\.rawValue) }
    static var completionKind: CompletionKind { .list(allValueStrings) }
}

/// The options that select contenders and settings to compare.
struct ContenderArguments: ParsableArguments {
    @Option(
        name: .customLong("way"),
        help: "A rule and an engine, such as within3/E6; may be given several times.")
    var contenders: [Contender] = []

    @Option(
        help: ArgumentHelp("Rules, separated by commas, or all.", valueName: "list"))
    var policies: NameList<NamedPolicy>?

    @Option(help: ArgumentHelp("Engines, separated by commas, or all.", valueName: "list"))
    var engines: NameList<Scheduling>?

    @Option(
        help: ArgumentHelp(
            "Settings, separated by commas, or all: a table for each.", valueName: "list"))
    var settings: NameList<Setting>?

    /// The contenders, each once, in the given order.
    ///
    /// By default: rows in the frame in which they appear, in lulls, around landings only, and as a
    /// list loads them.
    var all: [Contender] {
        var result = contenders
        if policies != nil || engines != nil {
            for rule in policies?.names ?? [.value] {
                for engine in engines?.names ?? [.lull] { result.append(Contender(rule, engine)) }
            }
        }
        if result.isEmpty {
            result = [
                Contender(.visible, .inFrame), Contender(.visible, .lull),
                Contender(.within3, .lull), Contender(.value, .lull),
            ]
        }
        var seen: Set<Contender> = []
        return result.filter { seen.insert($0).inserted }
    }
}
