/// Frames that are expected by descriptor: no timer is armed for them, but lulls end before them.
struct ExpectedFrames {
    private struct Expected {
        let source: ObjectIdentifier
        let due: Instant
        let latest: Instant
    }

    private var frames: [Expected] = []
    /// The earliest time at which a frame is due.
    private(set) var next = Instant.distantFuture
    /// The earliest of the latest start times.
    private(set) var latest = Instant.distantFuture

    /// Sets a source's next expected frame, and replaces its previous one.
    mutating func insert(_ source: ObjectIdentifier, due: Instant, latest: Instant) {
        frames.removeAll { $0.source == source }
        frames.append(.init(source: source, due: due, latest: latest))
        sum()
    }

    mutating func remove(_ source: ObjectIdentifier) {
        guard !frames.isEmpty else { return }
        frames.removeAll { $0.source == source }
        sum()
    }

    /// Removes frames that should have begun before `now`.
    mutating func removeExpired(at now: Instant) {
        guard latest < now else { return }
        frames.removeAll { $0.latest < now }
        sum()
    }

    private mutating func sum() {
        next = frames.map { $0.due }.min() ?? .distantFuture
        latest = frames.map { $0.latest }.min() ?? .distantFuture
    }
}
