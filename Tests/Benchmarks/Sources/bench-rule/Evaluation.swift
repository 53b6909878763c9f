import DeferredLoading
import Dispatch
import Foundation
import IdleLoop
import LullTesting
import ScrollModel
import Synchronization

/// The loads of a replay, and their price.
struct Condition: Hashable, Sendable {
    enum Price: String, CaseIterable, Sendable { case auto, neutral }

    var setting: Setting
    var price: Price
    var hasHints = false
    var isWhole = false

    var name: String { "\(setting.rawValue) \(price)\(hasHints ? " hints" : "")" }

    func options(for recording: Recording) -> ReplayOptions {
        var options = ReplayOptions()
        (options.cost, options.latency) = (setting.cost, setting.latency)
        (options.hz, options.hasHints) = (recording.hz, hasHints)
        if isWhole { (options.slice, options.endsSlicesWhenDue) = (nil, false) }
        if price == .neutral { options.limits.prices = .neutral ... .neutral }
        return options
    }
}

/// The figures of some recordings under a condition.
struct Score: Sendable {
    var blank = 0.0
    private var spent = 0.0
    private var wasted = 0.0

    /// The share of the work that nobody saw, in per cent.
    var waste: Double { spent > 0 ? 100 * wasted / spent : 0 }

    var text: String { String(format: "%.2f/%.0f", blank, waste) }

    mutating func add(_ figures: Figures) {
        blank += figures.blank / .seconds(1)
        spent += figures.loadCost / .seconds(1)
        wasted += figures.wastedCost / .seconds(1)
    }

    mutating func add(_ other: Score) {
        blank += other.blank
        spent += other.spent
        wasted += other.wasted
    }
}

typealias Scores = [Condition: [Recording.Kind: Score]]

extension Scores {
    func total(_ condition: Condition) -> Score {
        var sum = Score()
        for score in (self[condition] ?? [:]).values { sum.add(score) }
        return sum
    }

    /// Returns by how much more is blank than in others, as the mean of the kinds' ratios, and how many
    /// more percentage points are wasted.
    ///
    /// Three tenths of a row·s are added to each, as there are kinds without any.
    func change(from base: Scores) -> String {
        var (sum, waste, count) = (0.0, 0.0, 0.0)
        for (condition, kinds) in base {
            waste += (total(condition).waste - base.total(condition).waste) / Double(base.count)
            for (kind, old) in kinds {
                let new = self[condition]?[kind] ?? Score()
                sum += Foundation.log((new.blank + 0.3) / (old.blank + 0.3))
                count += 1
            }
        }
        return String(format: "%+.0f %%, %+.0f", 100 * (exp(sum / count) - 1), waste)
            .replacingOccurrences(of: "-", with: "−").replacingOccurrences(of: "+0", with: "0")
            .replacingOccurrences(of: "−0", with: "0")
    }
}

/// Plays recordings under conditions, on all processors.
func play(
    _ recordings: [Recording], _ conditions: [Condition],
    by rule: @Sendable (Recording, ReplayOptions) -> any LoadingPolicy
) -> Scores {
    let work = conditions.flatMap { condition in recordings.map { (condition, $0) } }
    let results = Mutex(Scores())
    DispatchQueue.concurrentPerform(iterations: work.count) { place in
        let (condition, recording) = work[place]
        let options = condition.options(for: recording)
        let replay = try? Replay(
            of: recording.trace, in: recording.list, policy: rule(recording, options),
            options: options)
        guard let figures = try? replay?.run().figures else {
            preconditionFailure("a replay is played")
        }
        results.withLock {
            $0[condition, default: [:]][recording.kind, default: Score()].add(figures)
        }
    }
    return results.withLock { $0 }
}
