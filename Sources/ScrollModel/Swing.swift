internal import Glibc

/// The free motion of a damped spring, in its three cases.
struct Swing: Sendable {
    let start: Double
    let velocity: Double
    /// The frequency without damping, in radians per second.
    let frequency: Double
    /// How much it is damped: below 1 it swings, at 1 and above it doesn't.
    let ratio: Double

    func position(at time: Double) -> Double { state(at: time).position }

    /// Where it is, and how fast.
    func state(at time: Double) -> (position: Double, velocity: Double) {
        let decay = ratio * frequency
        let push = velocity + decay * start
        if ratio == 1 {
            let part = exp(-decay * time)
            let position = part * (start + push * time)
            return (position, part * push - decay * position)
        }
        let other = frequency * abs(1 - ratio * ratio).squareRoot()
        let angle = other * time
        // Beyond critical damping, sines and cosines become hyperbolic; as exponentials, so that
        // late times don't multiply a huge number by a tiny one.
        let (fast, slow) = (exp((-decay + other) * time) / 2, exp((-decay - other) * time) / 2)
        let part = exp(-decay * time)
        let (cosine, sine) =
            ratio < 1 ? (part * cos(angle), part * sin(angle)) : (fast + slow, fast - slow)
        let position = start * cosine + push / other * sine
        let turn = ratio < 1 ? -start * other * sine : start * other * sine
        return (position, -decay * position + turn + push * cosine)
    }

    /// When it has first come so far out; nil if it never does.
    func time(reaching limit: Double) -> Double? {
        guard limit.isFinite else { return nil }
        var late = peak
        guard abs(position(at: late)) > limit else { return nil }
        var early = 0.0
        for _ in 0..<60 {
            let middle = (early + late) / 2
            if abs(position(at: middle)) < limit { early = middle } else { late = middle }
        }
        return late
    }

    /// When it first stands still on its way out, having begun at 0.
    private var peak: Double {
        let decay = ratio * frequency
        if ratio == 1 { return 1 / decay }
        let other = frequency * abs(1 - ratio * ratio).squareRoot()
        return ratio < 1 ? atan2(other, decay) / other : atanh(other / decay) / other
    }

    /// When it is, and stays, so near to 0 and so slow.
    ///
    /// The last of many even steps at which it isn't yet, and from there by halves.
    func time(within distance: Double, slowerThan limit: Double) -> Double {
        func isBack(_ time: Double) -> Bool {
            let (position, velocity) = state(at: time)
            return abs(position) < distance && abs(velocity) <= limit
        }
        var end = 1.0
        while !(isBack(end) && isBack(end * 1.07) && isBack(end * 1.19)), end < 1e6 { end *= 2 }
        let steps = 512
        guard let last = (0...steps).last(where: { !isBack(end * Double($0) / Double(steps)) })
        else { return 0 }
        var early = end * Double(last) / Double(steps)
        var late = end * Double(last + 1) / Double(steps)
        for _ in 0..<50 {
            let middle = (early + late) / 2
            if isBack(middle) { late = middle } else { early = middle }
        }
        return late
    }
}
