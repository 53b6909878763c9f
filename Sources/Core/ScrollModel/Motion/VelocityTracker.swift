internal import LullLibC

/// A tracker that estimates a finger's velocity from its last samples.
///
/// Two samples would do if they were exact; touch panels jitter by milliseconds and pixels. So a
/// parabola is fitted to the last 100 ms, and its slope at the newest sample is the velocity:
/// the estimator of the mobile and desktop browsers, whose flings this package predicts. Other
/// scrollers have others.
///
/// ```swift
/// var tracker = VelocityTracker()
/// tracker.add(760, at: .zero)
/// tracker.add(745, at: .milliseconds(8))
/// tracker.velocity(at: .milliseconds(10))   // -1875 px/s
/// ```
///
/// Three habits of real panels are taken into account. A pause of more than 40 ms is a stop: what
/// came before it doesn't count, and a finger lifted after it has no velocity. The event of the
/// lift repeats the last position some milliseconds later, which would halve the velocity: a
/// newest sample that repeats the position before it is left out. Times now and then run
/// backwards or stand still: such samples are ignored.
package struct VelocityTracker: Sendable {
    private struct Sample {
        var position: Double
        var time: Instant
    }

    private let configuration: Configuration
    private var samples: [Sample] = []

    /// A tracker that has seen nothing.
    package init() {
        self.init(configuration: Configuration())
    }

    /// A tracker with other settings.
    package init(configuration: Configuration) {
        self.configuration = configuration
    }

    /// Adds the finger's position, in px, at a time measured from any fixed origin.
    ///
    /// A position that isn't finite is ignored. O(samples kept), at most 20 by default.
    package mutating func add(_ position: Double, at time: Instant) {
        guard position.isFinite else { return }
        if let newest = samples.last {
            guard time > newest.time else { return }
        }
        if samples.count == configuration.capacity { samples.removeFirst() }
        samples.append(Sample(position: position, time: time))
    }

    /// Forgets the finger, as when another one touches down.
    package mutating func reset() {
        samples.removeAll(keepingCapacity: true)
    }

    /// Returns the velocity, in px per second, of a finger that is lifted at `time`.
    ///
    /// Positive when positions grow. Zero with fewer than two samples, and when the position
    /// last changed longer than 40 ms before `time`. O(samples kept).
    package func velocity(at time: Instant) -> Double {
        velocity(at: time, by: configuration)
    }

    /// Returns the velocity by another configuration, for comparison.
    ///
    /// It uses the samples of this tracker, no more than its own capacity.
    package func velocity(at time: Instant, by settings: Configuration) -> Double {
        let steps = zip(samples.indices, samples.indices.dropFirst()).reversed()
        let lastMove = steps.first { samples[$1].position != samples[$0].position }?.1 ?? 0
        let kept = samples.dropLast(lastMove < samples.count - 1 ? 1 : 0)
        let gap = steps.first {
            $1 < kept.endIndex && samples[$1].time - samples[$0].time > settings.maximumGap
        }
        let start = gap?.1 ?? 0
        guard let newest = kept.last, lastMove > start,
            time - samples[lastMove].time <= settings.maximumRest
        else { return 0 }
        let recent = kept[start...].suffix(settings.capacity).drop {
            newest.time - $0.time > settings.horizon
        }
        guard let oldest = recent.first, recent.count >= settings.fewest else { return 0 }
        let velocity = settings.strategy.velocity(
            times: recent.map { ($0.time - newest.time).inSeconds },
            values: recent.map { $0.position - newest.position })
        if settings.isRestricted, velocity * (newest.position - oldest.position) < 0 { return 0 }
        guard abs(velocity) >= settings.limits.lowerBound else { return 0 }
        let fastest = settings.limits.upperBound
        return min(max(velocity, -fastest), fastest)
    }
}
