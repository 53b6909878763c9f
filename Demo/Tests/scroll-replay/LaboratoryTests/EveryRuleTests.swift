import DeferredLoading
import IdleLoop
import Laboratory
import LullTesting
import ScrollModel
import ShippedTraces
import Testing

/// The laws that hold for every rule, in replays of the shipped traces.
///
/// Each trace is played by a third of the rules, another third from trace to trace.
struct EveryRuleTests {
    private static func rules(for trace: String) -> [NamedPolicy] {
        let number = Shipped.names.firstIndex(of: trace) ?? 0
        return NamedPolicy.all.enumerated().filter { ($0.offset + number) % 3 == 0 }
            .map(\.element)
    }

    private func options(_ setting: Setting, _ engine: Scheduling, hz: Int) -> ReplayOptions {
        var options = ReplayOptions(setting, engine)
        options.hz = hz
        return options
    }

    private func replay(
        _ trace: String, _ rule: NamedPolicy, _ options: ReplayOptions
    ) throws -> Replay {
        let recorded = try Shipped.trace(trace)
        let list = Shipped.list(trace)
        let policy = rule.make(for: .init(trace: recorded, list: list, options: options))
        return try Replay(of: recorded, in: list, policy: policy, options: options)
    }

    @Test(arguments: Shipped.names)
    func `rows are named once, no job is lost, and twice is the same`(_ trace: String) throws {
        let engines = Scheduling.allCases.filter { $0 != .inFrame }
        for (number, rule) in Self.rules(for: trace).enumerated() {
            let setting = Setting.allCases[number % Setting.allCases.count]
            var options = options(
                setting, engines[number % engines.count], hz: Shipped.hz(trace))
            options.lanes = number % 2 * 2
            let replay = try replay(trace, rule, options)
            let rows = Shipped.list(trace).list.rowCount
            replay.onNote = { _, note in
                guard case .wanted(let wanted) = note else { return }
                #expect(wanted.allSatisfy { 0..<rows ~= $0.key }, "\(rule.name)")
                #expect(Set(wanted.map(\.key)).count == wanted.count, "\(rule.name)")
            }
            let figures = try replay.run().figures
            #expect(figures.queue.isConserved && figures.queue.waiting == 0, "\(rule.name)")
            let again = try self.replay(trace, rule, options).run().figures
            #expect("\(again)" == "\(figures)", "\(rule.name)")
        }
    }

    @Test(arguments: Shipped.names)
    func `where loads cost nothing, nothing is blank at rest and no frame is late`(
        _ trace: String
    ) throws {
        var options = options(.standard, .lull, hz: Shipped.hz(trace))
        options.cost = .zero
        // Some traces are of another scroller than the default one, by which a landing is foreseen.
        options.target = .trace
        for name in ["visible", "within3", "everything", "value"] {
            let figures = try replay(trace, Shipped.rule(name), options).run().figures
            #expect(figures.blankResting == .zero, "\(name)")
            #expect(figures.framesLate == 0, "\(name)")
        }
    }

    @Test(arguments: Shipped.names)
    func `at 60, 90 and 120 frames a second the landings are the same`(_ trace: String) throws {
        // What is foreseen at each lift, where the list rests at last, and that all of it is there.
        let number = Shipped.names.firstIndex(of: trace) ?? 0
        let rule = NamedPolicy.own[number % NamedPolicy.own.count]
        let landings = try [60, 90, 120].map { hz in
            var options = options(.light, .lull, hz: hz)
            options.isLogged = true
            let replay = try replay(trace, rule, options)
            #expect(try replay.run().unsettled.isEmpty)
            let log = try #require(replay.log)
            let last = try #require(log.frames.last)
            return log.predictions.map(\.target) + [last.offset]
        }
        #expect(Set(landings).count == 1, "\(rule.name)")
    }

    @Test(arguments: ["default", "heavy", "latency"], [0, 1, 2, 4])
    func `the clairvoyant leaves less blank than any other rule`(
        _ name: String, lanes: Int
    ) throws {
        let setting = try #require(Setting(rawValue: name))
        for trace in ["chromium-fling-reverse", "chromium-fling-catch-tap"] {
            var options = options(setting, .whole, hz: Shipped.hz(trace))
            options.lanes = lanes
            let floor = try replay(trace, .oracle, options).run().figures.blank
            for rule in NamedPolicy.own + NamedPolicy.simple {
                #expect(try floor <= replay(trace, rule, options).run().figures.blank)
            }
        }
    }

    @Test(arguments: Shipped.names)
    func `with more lanes no more is blank`(_ trace: String) throws {
        // A rule that can't see what comes may choose worse in one trace, and one lane is little.
        for (rule, share) in [(NamedPolicy.oracle, 1), (try Shipped.rule("value"), 1.2)] {
            for setting in [Setting.standard, .heavy] {
                let blanks = try [0, 1, 2, 4, 8].map { lanes in
                    var options = options(setting, .lull, hz: Shipped.hz(trace))
                    options.lanes = lanes
                    return try replay(trace, rule, options).run().figures.blank
                }
                for (fewer, more) in zip(blanks, blanks.dropFirst()) {
                    #expect(more <= fewer * share, "\(rule.name), \(setting)")
                }
            }
        }
    }

    @Test func `every rule has a name and a summary of its own`() {
        #expect(Set(NamedPolicy.all.map(\.name)).count == NamedPolicy.all.count)
        #expect(Set(NamedPolicy.all.map(\.summary)).count == NamedPolicy.all.count)
        #expect(NamedPolicy.named("everything")?.name == "everything")
        #expect(NamedPolicy.peers.count <= 10)
        #expect(NamedPolicy.named("p0") == nil)
    }
}
