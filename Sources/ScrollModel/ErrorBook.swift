internal import Glibc

/// How wrong predictions of one kind were, and so how wide an interval has to be.
///
/// Errors are shares of some length. With few of them they are taken to fall off exponentially,
/// as if there had been two of a usual size before; with more, the interval reaches as far as the
/// errors themselves say. Whatever they are like, a factor puts right what remains: an interval
/// that held makes the next a little narrower, one that failed makes it wider, nine times as much
/// at a level of 90 %. (Gibbs and Candès, Adaptive conformal inference, 2021.)
struct ErrorBook: Sendable {
    private static let kept = 16
    private static let gain = 0.35
    private static let priorWeight = 1.0

    private let prior: Double
    private var errors: [Double] = []
    private var factor = 1.0

    /// A book that expects errors of this size.
    init(prior: Double) {
        self.prior = prior
    }

    /// The share within which an error stays as often as the level says.
    func width(level: Double) -> Double {
        factor * width(level: level, of: errors)
    }

    /// The size of a usual error.
    var usual: Double {
        (errors.reduce(0, +) + Self.priorWeight * prior) / (Double(errors.count) + Self.priorWeight)
    }

    /// Takes in an error, and whether the interval that was stated held it.
    mutating func add(_ error: Double, held: Bool, level: Double) {
        if errors.count == Self.kept { errors.removeFirst() }
        errors.append(error)
        let step = held ? -(1 - level) : level
        factor = min(max(factor * exp(Self.gain * step), 1.0 / 3), 3)
    }

    /// Replaces the errors by those that a better model would have made.
    mutating func rewrite(_ errors: [Double]) {
        self.errors = errors.suffix(Self.kept)
    }

    private func width(level: Double, of errors: [Double]) -> Double {
        let count = Double(errors.count)
        // Where among the sorted errors a next one would lie as often as the level says.
        let place = level * (count + 1)
        guard place < count else {
            let weight = count + Self.priorWeight
            let sum = errors.reduce(0, +) + Self.priorWeight * prior
            return sum * (pow(1 - level, -1 / weight) - 1)
        }
        let sorted = errors.sorted()
        let below = max(1, Int(place))
        let upper = sorted[min(below, sorted.count - 1)]
        let lower = sorted[below - 1]
        return lower + (upper - lower) * max(0, place - Double(below))
    }
}
