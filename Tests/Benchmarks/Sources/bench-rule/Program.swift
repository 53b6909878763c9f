// What the rule `value` leaves blank and wastes, on recordings that are made, and on the shipped ones.
//
//     bench-rule kinds SET RULE|NAME=VALUE ...   SET: search, held, shipped
//     bench-rule table                           half and twice of each constant
//     bench-rule search SEED COUNT NAME ...

import DeferredLoading
import Foundation
import Laboratory
import LullTesting
import ScrollModel
import ShippedTraces

func shipped() throws -> [Recording] {
    try Shipped.names.map {
        Recording(
            kind: .shipped, trace: try Shipped.trace($0), list: Shipped.list($0),
            hz: Shipped.hz($0))
    }
}

func text(_ value: Double, _ digits: Int = 1) -> String { String(format: "%.\(digits)f", value) }

private let settings: [Setting] = [.standard, .heavy, .latency]
private let conditions = Condition.Price.allCases.dropLast().flatMap { price in
    settings.map { Condition(setting: $0, price: price) }
}

func cell(_ score: Score) -> String {
    "\(text(score.blank, 2))/\(text(score.waste, 0))".padding(
        toLength: 12, withPad: " ", startingAt: 0)
}

func line(_ name: String, _ scores: [Score]) -> String {
    name.padding(toLength: 14, withPad: " ", startingAt: 0) + scores.map { cell($0) }.joined()
}

func total(_ scores: [Recording.Kind: Score]) -> Score {
    var sum = Score()
    for score in scores.values { sum.add(score) }
    return sum
}

func tuning(_ words: some Sequence<String>) -> ValueTuning {
    var tuning = ValueTuning()
    for word in words {
        let parts = word.split(separator: "=")
        guard parts.count == 2, let value = Double(parts[1]),
            let path = ValueTuning.all.first(where: { $0.name == parts[0] })?.path
        else { exit(64) }
        tuning[keyPath: path] = value
    }
    return tuning
}

typealias Scores = [Condition: [Recording.Kind: Score]]

func score(_ recordings: [Recording], _ tuning: ValueTuning) -> Scores {
    play(recordings, conditions) { _, _ in ValueRule(tuning) }
}

/// How much worse scores are than others: the mean logarithm of the ratios of what is blank, and what
/// more is wasted.
func excess(_ scores: Scores, over base: Scores) -> (all: Double, parts: [Double]) {
    var parts: [Double] = []
    for condition in conditions {
        var sum = 0.0
        let kinds = Array((base[condition] ?? [:]).keys)
        for kind in kinds {
            let (new, old) = (
                scores[condition]?[kind] ?? Score(), base[condition]?[kind] ?? Score()
            )
            sum += log((new.blank + 0.3) / (old.blank + 0.3)) + 0.008 * (new.waste - old.waste)
        }
        parts.append(sum / Double(kinds.count))
    }
    return (parts.reduce(0, +) / Double(parts.count), parts)
}

/// How far what ships exceeds its targets, as the sum of the ratios.
func penalty(_ shipped: [Recording], _ tuning: ValueTuning) -> (sum: Double, text: String) {
    let targets: [[(Double, Double)]] = [
        [(3.82, 39), (25, 33), (22.9, 32)], [(2.75, 99), (15.9, 99), (22.7, 99)],
    ]
    var (sum, words) = (0.0, "")
    for (place, hasHints) in [false, true].enumerated() {
        let known = settings.map {
            Condition(setting: $0, price: .neutral, hasHints: hasHints, isWhole: true)
        }
        let scores = play(shipped, known) { _, _ in ValueRule(tuning) }
        for (condition, target) in zip(known, targets[place]) {
            let score = total(scores[condition] ?? [:])
            sum += max(0, score.blank / target.0 - 1) + max(0, (score.waste - target.1) / 30)
            words += " \(text(score.blank, 2))/\(text(score.waste, 0))"
        }
    }
    return (sum, words)
}

func show(_ scores: Scores) {
    print(line("sum", conditions.map { total(scores[$0] ?? [:]) }))
    for kind in Recording.Kind.allCases where scores[conditions[0]]?[kind] != nil {
        print(line("  \(kind)", conditions.map { scores[$0]?[kind] ?? Score() }))
    }
}

func recordings(_ set: String) throws -> [Recording] {
    switch set {
    case "search": try Recording.all(0..<18, heldOut: false) + shipped()
    case "held": Recording.all(0..<36, heldOut: true)
    case "shipped": try shipped()
    default: exit(64)
    }
}

@main
struct Program {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "kinds":
            let set = try recordings(words[1])
            print(line("auto|neutral", []), settings.map(\.rawValue).joined(separator: " "), "x2")
            if words.count > 2, !words[2].contains("=") {
                for name in words[2...] {
                    guard let rule = NamedPolicy.named(name) else { exit(64) }
                    print(name)
                    show(
                        play(set, conditions) { recording, options in
                            rule.make(
                                for: .init(
                                    trace: recording.trace, list: recording.list, options: options))
                        })
                }
            } else {
                let scores = score(set, tuning(words.dropFirst(2)))
                if words.count > 2 {
                    let excess = excess(scores, over: score(set, ValueTuning()))
                    print("excess", text(excess.all, 4), excess.parts.map { text($0, 3) })
                }
                show(scores)
            }
        case "hints":
            let known = settings.map { Condition(setting: $0, price: .neutral, hasHints: true) }
            let rule = tuning(words.dropFirst(1))
            let scores = play(try shipped(), known) { _, _ in ValueRule(rule) }
            print(line("hints", known.map { total(scores[$0] ?? [:]) }))
        case "each":
            let name = words.count > 2 && !words[2].contains("=") ? words[2] : nil
            for recording in try recordings(words[1]) {
                let scores =
                    if let name, let rule = NamedPolicy.named(name) {
                        play([recording], conditions) { recording, options in
                            rule.make(
                                for: .init(
                                    trace: recording.trace, list: recording.list,
                                    options: options))
                        }
                    } else {
                        score([recording], tuning(words.dropFirst(2)))
                    }
                print(
                    recording.trace.name.padding(toLength: 40, withPad: " ", startingAt: 0)
                        + conditions.map { cell(total(scores[$0] ?? [:])) }.joined())
            }
        case "try":
            let set = try recordings("search")
            let base = score(set, .init())
            for options in words.dropFirst() {
                let scores = score(set, tuning(options.split(separator: ",").map(String.init)))
                let excess = excess(scores, over: base)
                print(options, "excess", text(excess.all, 4), excess.parts.map { text($0, 3) })
                print(line("  sums", conditions.map { total(scores[$0] ?? [:]) }))
            }
        case "table":
            let (search, held) = (try recordings("search"), try recordings("held"))
            let (base, heldBase) = (score(search, .init()), score(held, .init()))
            for (name, path) in ValueTuning.all {
                for factor in [0.5, 2] {
                    var tuning = ValueTuning()
                    tuning[keyPath: path] *= factor
                    let (one, other) = (
                        excess(score(search, tuning), over: base),
                        excess(score(held, tuning), over: heldBase)
                    )
                    print(
                        name, factor, text(one.all, 4), text(other.all, 4),
                        one.parts.map { text($0, 3) })
                }
            }
        case "targets":
            let tuning = tuning(words.dropFirst())
            print(penalty(try shipped(), tuning).text)
        case "search":
            var numbers = SeededGenerator(seed: UInt64(words[1]) ?? 0)
            let set = try recordings("search")
            let base = score(set, .init())
            let ships = try shipped()
            var best = (penalty(ships, .init()).sum, ValueTuning(), "")
            let paths = ValueTuning.all.filter {
                words.dropFirst(3).isEmpty || words.dropFirst(3).contains($0.name)
            }
            for _ in 0..<(Int(words[2]) ?? 0) {
                var tuning = best.1
                var changes = ""
                for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                    guard let (name, path) = paths.randomElement(using: &numbers) else { break }
                    tuning[keyPath: path] *= exp(Double.random(in: -0.6...0.6, using: &numbers))
                    changes += " \(name)=\(text(tuning[keyPath: path], 4))"
                }
                let over = penalty(ships, tuning)
                guard over.sum < best.0 + 0.15 else { continue }
                let excess = excess(score(set, tuning), over: base)
                let all = excess.all + over.sum
                if all < best.0 {
                    best = (all, tuning, "")
                    FileHandle.standardOutput.write(
                        Data(
                            (text(all, 4) + " " + text(excess.all, 4) + over.text + changes + "\n")
                                .utf8))
                }
            }
            print(
                ValueTuning.all.map { "\($0.name)=\(text(best.1[keyPath: $0.path], 4))" }.joined(
                    separator: " "))
        default: exit(64)
        }
    }
}
