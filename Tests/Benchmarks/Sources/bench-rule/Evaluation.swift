import DeferredLoading
import Dispatch
import Foundation
import IdleLoop
import LullTesting
import ScrollModel
import Synchronization

/// A price of work that a replay has, and a setting of its loads.
struct Condition: Hashable, Sendable {
    enum Price: String, CaseIterable, Sendable { case auto, neutral, free }

    var setting: Setting
    var price: Price
    var hasHints = false
    var lanes = 0
    var isWhole = false

    func options(for recording: Recording) -> ReplayOptions {
        var options = ReplayOptions()
        (options.cost, options.latency) = (setting.cost, setting.latency)
        options.hz = recording.hz
        options.seed = UInt64(ProcessInfo.processInfo.environment["SEED"] ?? "1") ?? 1
        options.hasHints = hasHints
        options.lanes = lanes
        if isWhole || ProcessInfo.processInfo.environment["WHOLE"] != nil {
            (options.slice, options.endsSlicesWhenDue) = (nil, false)
        }
        switch price {
        case .auto: break
        case .neutral: options.limits.prices = .neutral ... .neutral
        case .free: options.limits.prices = .free ... .free
        }
        return options
    }
}

/// The figures of recordings under a condition.
struct Score: Sendable {
    var blank = 0.0
    var spent = 0.0
    var wasted = 0.0
    var begun = 0

    /// The share of the work that nobody saw, in per cent.
    var waste: Double { spent > 0 ? 100 * wasted / spent : 0 }

    mutating func add(_ figures: Figures) {
        blank += figures.blank / .seconds(1)
        spent += figures.loadCost / .seconds(1)
        wasted += figures.wastedCost / .seconds(1)
        begun += figures.loadsStarted
    }

    mutating func add(_ other: Score) {
        blank += other.blank
        spent += other.spent
        wasted += other.wasted
        begun += other.begun
    }
}

/// Plays recordings under conditions, on all processors.
func play(
    _ recordings: [Recording], _ conditions: [Condition],
    rule: @Sendable (Recording, ReplayOptions) -> any LoadingPolicy
) -> [Condition: [Recording.Kind: Score]] {
    let work = conditions.flatMap { condition in recordings.map { (condition, $0) } }
    let results = Mutex([Condition: [Recording.Kind: Score]]())
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
