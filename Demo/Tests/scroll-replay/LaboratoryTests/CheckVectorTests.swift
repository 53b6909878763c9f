import DeferredLoading
import Foundation
import Laboratory
import LullTesting
import ReplayText
import ShippedTraces
import Testing

/// The check vectors of the model of replays, on which independent implementations agree.
struct CheckVectorTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        let trace: String
        let rule: String
        let engine: Scheduling
        let setting: String
        let expected: [Int64]

        var testDescription: String { "\(trace) \(rule) \(engine.rawValue) \(setting)" }
    }

    static let vectors: [Vector] = {
        guard let url = Bundle.module.url(forResource: "check-vectors", withExtension: "txt"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ").map(String.init)
            guard fields.count == 14, let engine = Scheduling(rawValue: fields[2]) else {
                return nil
            }
            return Vector(
                trace: "chromium-" + fields[0], rule: fields[1], engine: engine,
                setting: fields[3], expected: fields[4...].compactMap { Int64($0) })
        }
    }()

    @Test func `the vectors are there`() {
        #expect(Self.vectors.count == 57)
    }

    @Test(arguments: vectors)
    func `a replay gives the figures of the model`(_ vector: Vector) throws {
        let setting = Setting(rawValue: vector.setting) ?? .standard
        var options = ReplayOptions(setting, vector.engine)
        options.isWarm = vector.setting != "cold"
        options.target = .trace
        options.limits = .model
        options.queueLimit = nil
        let replay = try Replay(
            of: try Shipped.trace(vector.trace), in: Shipped.list(vector.trace),
            policy: try Shipped.policy(vector.rule), options: options)
        let figures = try replay.run().figures
        let found: [Int64] = [
            figures.blank.nanoseconds, Int64(figures.loadsFinished), Int64(figures.loadsUseful),
            Int64(figures.framesShown), Int64(figures.framesLate), figures.loadCost.nanoseconds,
            figures.wastedCost.nanoseconds,
            Figures.percentile(95, of: figures.settles).nanoseconds, figures.hitch.nanoseconds,
            Figures.percentile(99, of: figures.inputDelays).nanoseconds,
        ]
        #expect(found == vector.expected)
    }
}
