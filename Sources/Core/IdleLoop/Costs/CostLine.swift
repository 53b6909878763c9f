/// Costs as a linear function of a size, fitted to the last ones: a fixed part, and a part that is
/// proportional to the size.
///
/// With few values, or sizes that differ little, the proportional part is as large as assumed before
/// (a ridge regression whose prior is one value); neither part is negative. Times are in nanoseconds.
struct CostLine: Sendable {
    /// The number of values after which each new one counts as much as the one before.
    static let window = 32

    /// The number of values, up to the window.
    private(set) var count = 0
    /// The mean cost.
    private(set) var mean = 0.0
    /// The mean of the errors that were made, as a part of what was expected.
    private(set) var deviation = 0.0
    private var sized = 0
    private var size = 0.0
    private var variance = 0.0
    private var covariance = 0.0

    /// Adds a cost; `prior` is what the proportional part is taken for at first.
    mutating func add(_ cost: Double, size: Int?, prior: Double = 1) {
        if count > 0 { learn(error: cost, expected: self.cost(ofSize: size, prior: prior)) }
        count = min(count + 1, Self.window)
        let deviation = cost - mean
        mean += deviation / Double(count)
        guard let size else { return }
        sized = min(sized + 1, Self.window)
        let part = 1 / Double(sized)
        let distance = Double(max(0, size)) - self.size
        self.size += part * distance
        variance = (1 - part) * (variance + part * distance * distance)
        covariance = (1 - part) * (covariance + part * distance * deviation)
    }

    private mutating func learn(error cost: Double, expected: Double) {
        let error = abs(cost - expected) / max(expected, mean / 16, 1)
        // A cost in which something else intervened tells little about the next.
        let most = count < 8 ? error : 4 * max(deviation, 1 / 16)
        deviation += (min(error, most) - deviation) / Double(count)
    }

    /// Returns the part of the cost that is proportional to the size, from 0 to 1.
    func proportion(prior: Double = 1) -> Double {
        guard mean > 0, size > 0 else { return prior }
        let weight = size * size / Double(sized)
        let slope = (covariance + weight * prior * mean / size) / (variance + weight)
        return min(max(0, slope * size / mean), 1)
    }

    /// Returns the expected cost of a size; the mean if the size is unknown.
    func cost(ofSize size: Int?, prior: Double = 1) -> Double {
        guard let size, mean > 0, self.size > 0 else { return mean }
        let part = proportion(prior: prior)
        return mean * (1 - part + part * Double(max(0, size)) / self.size)
    }

    /// Returns the expected cost of a size with its deviation.
    func estimate(ofSize size: Int? = nil) -> CostEstimate {
        let cost = cost(ofSize: size)
        return CostEstimate(mean: cost, deviation: cost * deviation)
    }
}
