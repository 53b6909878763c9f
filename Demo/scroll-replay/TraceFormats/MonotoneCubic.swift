import LullTesting
import ScrollModel

/// A monotone cubic interpolation of points, which never overshoots (Fritsch and Carlson, 1980).
///
/// ```swift
/// let end = Instant(nanoseconds: 100)
/// let curve = MonotoneCubic([.init(time: .zero, offset: 0), .init(time: end, offset: 10)])
/// curve.offset(at: Instant(nanoseconds: 50), after: 0)  // 5
/// ```
struct MonotoneCubic {
    private let points: [Trace.Sample]
    private let slopes: [Double]

    /// Creates a curve through points in the order of their times, no two at the same time.
    init(_ points: [Trace.Sample]) {
        self.points = points
        guard points.count > 1 else {
            slopes = [0]
            return
        }
        let chords = zip(points, points.dropFirst()).map { before, after in
            (after.offset - before.offset) / Self.nanoseconds(from: before, to: after.time)
        }
        var slopes = [chords[0]]
        for (index, (before, after)) in zip(chords, chords.dropFirst()).enumerated() {
            guard before * after > 0 else {
                slopes.append(0)
                continue
            }
            let first = Self.nanoseconds(from: points[index], to: points[index + 1].time)
            let second = Self.nanoseconds(from: points[index + 1], to: points[index + 2].time)
            let weight = (first + 2 * second) / (3 * (first + second))
            slopes.append(before * after / (weight * after + (1 - weight) * before))
        }
        slopes.append(chords[chords.count - 1])
        self.slopes = slopes
    }

    /// Returns the value at a time between the point `index` and the next.
    func offset(at time: Instant, after index: Int) -> Double {
        let (from, to) = (points[index], points[index + 1])
        let span = Self.nanoseconds(from: from, to: to.time)
        let t = Self.nanoseconds(from: from, to: time) / span
        let u = 1 - t
        return u * u * (1 + 2 * t) * from.offset + t * t * (1 + 2 * u) * to.offset
            + span * t * u * (u * slopes[index] - t * slopes[index + 1])
    }

    private static func nanoseconds(from point: Trace.Sample, to time: Instant) -> Double {
        Double(time.nanoseconds - point.time.nanoseconds)
    }
}
