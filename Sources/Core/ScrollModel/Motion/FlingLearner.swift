internal import LullLibC

/// A classifier that identifies the scroller of a list from the landing positions of its flings.
///
/// A list's curve never changes, so a handful of flings identifies it. Each known curve, combined
/// with each velocity estimator, predicts the landing and the path of an observed fling; the
/// combination with the smallest errors is chosen. Then one parameter, the brake, is fitted.
///
/// ```swift
/// var learner = FlingLearner()
/// learner.learn(fling)
/// learner.scroller.name       // .android, after three flings
/// ```
///
/// Errors are compared by medians of |log ratio|, so a fling that something else has stopped does
/// no harm. The last 16 flings count. The same flings give the same scroller, on any machine.
package struct FlingLearner: Sendable {
    /// The number of flings after which it chooses; until then it keeps the initial scroller.
    package static let fewest = 3

    /// The velocity estimators of the known scrollers.
    package static let estimators: [VelocityTracker.Configuration] = [
        .init(), .init(strategy: .impulse), .init(strategy: .line), .init(strategy: .iOS),
        .init(strategy: .macOS), .init(horizon: .milliseconds(150), strategy: .span),
        .init(strategy: .qt),
    ]

    private struct Candidate {
        let scroller: Scroller
        let estimator: Int
        var residuals: [(landing: Double, path: Double)] = []
    }

    private static let kept = 16

    /// The scroller that fits best, or the initial guess.
    package private(set) var scroller: Scroller

    /// The number of flings observed, including those that it has discarded.
    package private(set) var count = 0

    private var estimator = 0
    private var flings: [ObservedFling] = []
    private var candidates: [Candidate]

    /// A learner that assumes a scroller until it has observed enough flings.
    package init(guess: Scroller = Scroller(.chromium)) {
        scroller = guess
        candidates = FlingModelName.allCases.flatMap { name in
            let own = name.tracking.strategy
            return Self.estimators.enumerated().map { index, estimator in
                Candidate(
                    scroller: Scroller(
                        name, tracking: estimator.strategy == own ? name.tracking : estimator),
                    estimator: index)
            }
        }
    }

    /// Whether it has observed enough flings to choose.
    package var hasChosen: Bool { count >= Self.fewest }

    /// Adds a fling that nothing has stopped, accelerated or bounded.
    ///
    /// - Complexity: about 60 flings are computed, and up to 1400 more for the brake.
    package mutating func learn(_ fling: ObservedFling) {
        guard abs(fling.way) >= 10 else { return }
        count += 1
        if flings.count == Self.kept { flings.removeFirst() }
        flings.append(fling)
        for index in candidates.indices {
            let candidate = candidates[index]
            if candidate.residuals.count == Self.kept { candidates[index].residuals.removeFirst() }
            candidates[index].residuals.append(
                fling.residuals(
                    of: candidate.scroller, velocity: fling.velocities[candidate.estimator]))
        }
        if hasChosen { choose() }
    }

    /// The relative errors that the chosen scroller would have made with each of the remembered
    /// flings; the newest last.
    var errors: [Double] {
        flings.map { abs(exp(residual(of: scroller, estimator, for: $0)) - 1) }
    }

    private mutating func choose() {
        let ranks = candidates.map(spread)
        let best = candidates.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.prefix(6)
        var least = Double.infinity
        for candidate in best.map({ candidates[$0] }) {
            let penalty = penalty(of: candidate)
            for (scroller, price) in tuned(candidate) {
                let path = flings.map {
                    $0.residuals(of: scroller, velocity: $0.velocities[candidate.estimator]).path
                }
                let error =
                    error(of: scroller, candidate.estimator) + 0.5 * median(path) + price
                    + penalty
                guard error < least else { continue }
                least = error
                self.scroller = scroller
                estimator = candidate.estimator
            }
        }
    }

    /// Returns the error of a candidate after correction of its brake.
    private func spread(_ candidate: Candidate) -> Double {
        let bias = median(candidate.residuals.map(\.landing))
        return median(candidate.residuals.map { abs($0.landing - bias) })
            // With few flings, a brake that fits them all can be found for many wrong curves.
            + 0.9 / Double(flings.count) * abs(bias)
            + 0.25 * median(candidate.residuals.map(\.path))
            + penalty(of: candidate)
    }

    /// Returns the penalty for an estimator that isn't the platform's own, which is less likely.
    private func penalty(of candidate: Candidate) -> Double {
        candidate.scroller.tracking.strategy == candidate.scroller.name.tracking.strategy
            ? 0 : 0.004
    }

    /// Returns the candidate unchanged, and with the brake that fits best, which has a small
    /// penalty.
    private func tuned(_ candidate: Candidate) -> [(scroller: Scroller, price: Double)] {
        let bias = median(candidate.residuals.map(\.landing))
        guard abs(bias) > 0.03 else { return [(candidate.scroller, 0)] }
        func braked(_ exponent: Double) -> Scroller {
            Scroller(
                candidate.scroller.name, tracking: candidate.scroller.tracking,
                brake: exp(exponent))
        }
        let exponent = goldenMinimum(in: bias > 0 ? 0...1.4 : -1.4...0, steps: 12) {
            error(of: braked($0), candidate.estimator)
        }
        return [(candidate.scroller, 0), (braked(exponent), 0.01 + 0.02 * abs(exponent))]
    }

    private func error(of scroller: Scroller, _ estimator: Int) -> Double {
        let residuals = flings.map { abs(residual(of: scroller, estimator, for: $0)) }
        return median(residuals)
            + 0.25 * residuals.reduce(0) { $0 + min($1, 1) } / Double(residuals.count)
    }

    private func residual(
        of scroller: Scroller, _ estimator: Int, for fling: ObservedFling
    ) -> Double {
        Self.logarithm(
            of: scroller.reach(
                from: fling.start, velocity: fling.velocities[estimator],
                viewportHeight: fling.viewportHeight),
            to: fling.way)
    }

    /// The length that is added to short distances, in px, since slops and leads differ by as much.
    static let slack = 30.0

    /// Returns the logarithm of the ratio of two distances.
    static func logarithm(of reach: Double, to way: Double) -> Double {
        reach * way > 0 ? log((abs(reach) + slack) / (abs(way) + slack)) : -3
    }
}
