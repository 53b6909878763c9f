internal import IdleLoop

/// How fast a list moves, by where its last frames showed it.
struct SpeedMeter {
    /// How far back frames count, and how far apart they are at least.
    private static let window = Duration.milliseconds(80)
    private static let least = Duration.milliseconds(8)

    private var samples: [(moment: Instant, offset: Double)] = []

    /// The speed in px per second, either way; 0 before the second frame.
    var value: Double {
        guard let first = samples.first, let last = samples.last else { return 0 }
        let time = first.moment.duration(to: last.moment)
        guard time >= Self.least else { return 0 }
        return abs(last.offset - first.offset) / (time / .seconds(1))
    }

    /// A frame has shown the list at an offset, in px.
    mutating func add(_ offset: Double, at moment: Instant) {
        samples.append((moment, offset))
        // Of those before the window the last tells from where the list came.
        while samples.count > 2, samples[1].moment.duration(to: moment) >= Self.window {
            samples.removeFirst()
        }
        if samples.count > 64 { samples.removeFirst(32) }
    }
}
