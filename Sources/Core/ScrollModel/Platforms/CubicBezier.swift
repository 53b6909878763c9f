/// An easing curve from (0, 0) to (1, 1) with two handles, like CSS `cubic-bezier`.
struct CubicBezier: Sendable {
    let first: (x: Double, y: Double)
    let second: (x: Double, y: Double)

    /// Returns the curve's height at `x`, which lies in 0...1, as the handles' x do.
    func y(atX x: Double) -> Double {
        Self.value(first.y, second.y, at: Self.parameter(first.x, second.x, reaching: x))
    }

    /// Returns the first x at which the curve has the height `y` in 0...1, as the handles' y are.
    func x(atY y: Double) -> Double {
        Self.value(first.x, second.x, at: Self.parameter(first.y, second.y, reaching: y))
    }

    /// Returns the curve's slope at `x`.
    func slope(atX x: Double) -> Double {
        let parameter = Self.parameter(first.x, second.x, reaching: x)
        let run = Self.derivative(first.x, second.x, at: parameter)
        return run > 0 ? Self.derivative(first.y, second.y, at: parameter) / run : 0
    }

    /// Returns the curve parameter at which a coordinate, which is monotonic, reaches `goal`.
    ///
    /// Newton's method, with bisection if a step leaves the interval: five or six steps as a rule.
    private static func parameter(_ one: Double, _ two: Double, reaching goal: Double) -> Double {
        var low = 0.0
        var high = 1.0
        var t = goal
        for _ in 0..<50 {
            let error = value(one, two, at: t) - goal
            if abs(error) < 1e-15 { return t }
            if error < 0 { low = t } else { high = t }
            let step = error / derivative(one, two, at: t)
            // False where the curve is flat, too.
            let isInside = t - step > low && t - step < high
            let next = isInside ? t - step : (low + high) / 2
            if next == t { return t }
            t = next
        }
        return t
    }

    private static func value(_ one: Double, _ two: Double, at t: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * t * one + 3 * rest * t * t * two + t * t * t
    }

    private static func derivative(_ one: Double, _ two: Double, at t: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * one + 6 * rest * t * (two - one) + 3 * t * t * (1 - two)
    }
}
