import ScrollModel

/// A platform that moves a list: it sees the finger itself, in fractions of a pixel, measures it
/// in its own way, and takes its curve from there.
///
/// Its estimators are written here once more, and otherwise than in the library.
enum Scheduling: String, CaseIterable, Sendable {
    case chromium, chromiumLegacy, uiKit, uiKitFast, android, androidImpulse, flutter, gtk, qt

    /// What a predictor has to be told to know this platform.
    var scroller: Scroller {
        switch self {
        case .chromium: Scroller(.chromium)
        case .chromiumLegacy: Scroller(.chromiumLegacy)
        case .uiKit: Scroller(.uiKit)
        case .uiKitFast: Scroller(.uiKitFast)
        case .android: Scroller(.android)
        case .androidImpulse: Scroller(.android, tracking: .init(strategy: .impulse))
        case .flutter: Scroller(.flutter)
        case .gtk: Scroller(.gtk)
        case .qt: Scroller(.qt)
        }
    }

    /// How far a finger moves before the list follows.
    var slop: Double {
        switch self {
        case .chromium, .chromiumLegacy: 15
        case .uiKit, .uiKitFast, .qt: 10
        case .android, .androidImpulse, .gtk: 8
        case .flutter: 18
        }
    }

    /// The share of the last move by which the list runs ahead of the finger.
    var lead: Double {
        switch self {
        case .chromium, .chromiumLegacy: 0.5
        default: 0
        }
    }

    /// The fling that follows a stroke on a list at `offset`; nil if the stroke is none.
    func fling(
        after samples: [Hand.Sample], from offset: Double, in viewport: Viewport
    ) -> Fling? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let drag = first.y - last.y
        let move = samples[samples.count - 2].y - last.y
        guard abs(drag) > slop else { return nil }
        let start = offset + drag - (drag < 0 ? -slop : slop) + move * lead
        let velocity = -velocity(of: samples)
        guard abs(velocity) >= 50 else { return nil }
        return scroller.model.fling(
            from: start, velocity: velocity, bounds: 0...viewport.maximumOffset,
            viewportHeight: viewport.height)
    }

    /// The release velocity in px per second, as this platform makes it.
    func velocity(of samples: [Hand.Sample]) -> Double {
        guard let newest = samples.last else { return 0 }
        let points = samples.map { (t: ($0.time - newest.time) / .seconds(1), y: $0.y) }
        let moves = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.t - $0.t) }
        switch self {
        case .chromium, .chromiumLegacy, .android, .flutter:
            return Self.parabola(points.filter { $0.t >= -0.1 })
        case .androidImpulse:
            let recent = points.filter { $0.t >= -0.1 }
            var energy = 0.0
            for index in recent.indices.dropFirst() {
                let (a, b) = (recent[index - 1], recent[index])
                let velocity = (b.y - a.y) / (b.t - a.t)
                let before = (energy < 0 ? -1 : 1) * (2 * abs(energy)).squareRoot()
                energy += abs(velocity) * (velocity - before)
                if index == 1 { energy *= 0.5 }
            }
            return (energy < 0 ? -1 : 1) * (2 * abs(energy)).squareRoot()
        case .uiKit, .uiKitFast:
            let three = moves.suffix(3)
            return zip(three, [0.6, 0.35, 0.05]).map { $0 * $1 }.reduce(0, +)
        case .gtk:
            let recent = points.filter { $0.t >= -0.15 }
            return (newest.y - recent[0].y) / -recent[0].t
        case .qt:
            return min(max(moves.suffix(3).reduce(0, +) / 3, -2_500), 2_500)
        }
    }

    /// Least squares of degree 2 by the normal equations and Cramer's rule.
    private static func parabola(_ points: [(t: Double, y: Double)]) -> Double {
        func sum(_ power: Int, _ value: (Double) -> Double = { _ in 1 }) -> Double {
            points.reduce(0) { total, point in
                total + (0..<power).reduce(1) { product, _ in product * point.t * 100 }
                    * value(point.y)
            }
        }
        let (s0, s1, s2, s3, s4) = (sum(0), sum(1), sum(2), sum(3), sum(4))
        let (b0, b1, b2) = (sum(0) { $0 }, sum(1) { $0 }, sum(2) { $0 })
        func determinant(
            _ a: (Double, Double, Double), _ b: (Double, Double, Double),
            _ c: (Double, Double, Double)
        ) -> Double {
            let first = a.0 * (b.1 * c.2 - b.2 * c.1)
            let second = a.1 * (b.0 * c.2 - b.2 * c.0)
            return first - second + a.2 * (b.0 * c.1 - b.1 * c.0)
        }
        let whole = determinant((s0, s1, s2), (s1, s2, s3), (s2, s3, s4))
        return 100 * determinant((s0, b0, s2), (s1, b1, s3), (s2, b2, s4)) / whole
    }
}
