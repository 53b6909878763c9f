// A comparison of the rule `value` with others, by what they leave blank and waste:
//
//     bench-rule kinds SET [RULE ... | CONSTANT=VALUE ...]
//     bench-rule table
//
// SET is `search` or `held`, recordings that are made, of which `held` is a third that no search for
// constants may use, or `shipped`. `table` prints what half and twice of each constant do, for the
// article "Write a rule". A figure is the blank row·s / the share of the work that nobody saw, in per cent.

import DeferredLoading
import Foundation
import Laboratory
import LullTesting
import ScrollModel
import ShippedTraces

private let settings: [Setting] = [.standard, .heavy, .latency]

@main
struct Program {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "kinds" where words.count > 1:
            try showKinds(of: recordings(words[1]), words[1] == "shipped", Array(words[2...]))
        case "table": try showTable()
        default: exit(64)
        }
    }

    private static func recordings(_ set: String) throws -> [Recording] {
        switch set {
        case "search": Recording.search
        case "held": Recording.heldOut
        case "shipped":
            try Shipped.names.map {
                Recording(
                    kind: .shipped, trace: try Shipped.trace($0), list: Shipped.list($0),
                    hz: Shipped.hz($0))
            }
        default: exit(64)
        }
    }

    // MARK: - Kinds of gestures

    private static func showKinds(
        of recordings: [Recording], _ isShipped: Bool, _ words: [String]
    ) throws {
        var conditions = Condition.Price.allCases.flatMap { price in
            settings.map { Condition(setting: $0, price: price) }
        }
        if isShipped {
            // As other implementations of the model of replays have it: whole jobs.
            for place in conditions.indices { conditions[place].isWhole = true }
            conditions += settings.map {
                Condition(setting: $0, price: .neutral, hasHints: true, isWhole: true)
            }
        }
        print("", conditions.map(\.name).joined(separator: " | "), separator: "\t")
        let tuning = ValueTuning(words.filter { $0.contains("=") })
        let rules = words.filter { !$0.contains("=") }
        for name in rules.isEmpty ? ["value"] : rules {
            guard let rule = NamedPolicy.named(name) else { exit(64) }
            let scores = play(recordings, conditions) { recording, options in
                name == "value"
                    ? ValueRule(tuning)
                    : rule.make(
                        for: .init(
                            trace: recording.trace, list: recording.list, options: options))
            }
            print(name, conditions.map { scores.total($0).text }.joined(separator: " | "))
            for kind in Recording.Kind.allCases where !isShipped && kind != .shipped {
                let figures = conditions.map { scores[$0]?[kind, default: Score()].text ?? "" }
                print("  \(kind)", figures.joined(separator: " | "))
            }
        }
    }

    // MARK: - The table of constants

    private static func showTable() throws {
        let recordings = Recording.search + Recording.heldOut
        let conditions = settings.map { Condition(setting: $0, price: .auto) }
        func score(_ tuning: ValueTuning) -> Scores {
            play(recordings, conditions) { _, _ in ValueRule(tuning) }
        }
        let base = score(ValueTuning())
        print("| Constant | Value | Half of it | Twice |\n|---|---|---|---|")
        for (name, path) in ValueTuning.all {
            let changes = [0.5, 2].map { factor in
                var tuning = ValueTuning()
                tuning[keyPath: path] *= factor
                return score(tuning).change(from: base)
            }
            let value = Double(Int(ValueTuning()[keyPath: path] * 100)) / 100
            print("| `\(name)` | \(value) | \(changes[0]) | \(changes[1]) |")
        }
    }
}

extension ValueTuning {
    /// The constants by name.
    fileprivate static var all: [(name: String, path: WritableKeyPath<ValueTuning, Double>)] {
        [
            ("flight", \.flight), ("exponent", \.exponent), ("jumpTime", \.jumpTime),
            ("jumpExponent", \.jumpExponent), ("step", \.step), ("cap", \.cap),
            ("longWork", \.longWork),
            ("patience", \.patience), ("reach", \.reach), ("likelihood", \.likelihood),
            ("unlikely", \.unlikely), ("memory", \.memory), ("assumed", \.assumed),
            ("turning", \.turning), ("second", \.second),
        ]
    }

    /// Creates constants of which some are given as `name=value`.
    fileprivate init(_ words: [String]) {
        self.init()
        for word in words {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let value = Double(parts[1]),
                let path = Self.all.first(where: { $0.name == parts[0] })?.path
            else { exit(64) }
            self[keyPath: path] = value
        }
    }
}
