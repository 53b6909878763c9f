/// Frames that are expected by descriptor: no timer goes off for them, but lulls keep clear of them.
struct Expectations {
    private struct Expected {
        let source: ObjectIdentifier
        let due: Instant
        let latest: Instant
    }

    private var frames: [Expected] = []
    /// The earliest moment at which one is due.
    private(set) var next = Instant.distantFuture
    /// The earliest of the moments at which one should have begun.
    private(set) var latest = Instant.distantFuture

    /// Expects a source's next frame, and none that was expected of it before.
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

    /// Gives up on frames that should have begun before `now`.
    mutating func lapse(at now: Instant) {
        guard latest < now else { return }
        frames.removeAll { $0.latest < now }
        sum()
    }

    private mutating func sum() {
        next = frames.map { $0.due }.min() ?? .distantFuture
        latest = frames.map { $0.latest }.min() ?? .distantFuture
    }
}
